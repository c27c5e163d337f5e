"""Small models of our own that exercise the smooth dynamics, by what they have."""

from __future__ import annotations

SMOOTH_MODELS = {
    "all joints": """
<mujoco><option gravity="1 -2 -9"/><worldbody>
 <camera name="c0" mode="targetbody" target="a" pos="3 1 2"/><light mode="targetbodycom" target="c" pos="0 0 4"/>
 <body name="a" pos="0 0 1"><freejoint/><geom size=".1 .2 .3" type="box" pos=".1 0 .05" euler="10 20 30"/>
  <camera mode="track" pos="0 -3 1" xyaxes="1 0 0 0 1 2"/><light mode="trackcom" pos="0 0 2" dir="0 1 -1"/>
  <body name="b" pos=".3 .1 0" euler="20 0 40"><joint type="ball" pos=".02 0 .1" stiffness="3" damping=".4"/>
   <geom type="capsule" size=".05 .2" pos="0 .1 0"/><site name="s" pos=".1 .2 .3" euler="5 6 7"/>
   <body name="c" pos="0 .3 .1"><joint name="h" axis="1 2 3" pos=".1 .1 .1" ref="20" springref="30" stiffness="2"
     damping=".3" armature=".1"/><joint name="sl" type="slide" axis="0 1 1" ref=".1" springref=".3" stiffness="5"/>
    <geom type="ellipsoid" size=".1 .05 .2"/><light mode="track" pos="1 1 1"/>
    <camera mode="trackcom" pos="1 2 3"/><camera mode="targetbodycom" target="b" pos=".5 .5 .5"/><light dir="1 1 -1"/>
   </body></body></body>
 <body name="m" mocap="true" pos="1 1 1" euler="30 10 0"><geom size=".1"/></body>
 <body pos="2 0 0"><joint name="k" type="slide" axis="1 0 0"/><joint name="k2" axis="0 1 0"/><geom size=".2"/>
  <body pos=".1 .2 .4"><geom size=".1" pos=".3 0 0"/></body></body>
</worldbody>
<tendon><fixed name="t1" stiffness="4" springlength=".1 .2" damping=".7"><joint joint="h" coef=".5"/>
 <joint joint="sl" coef="-2"/></fixed><fixed name="t2" stiffness="3" armature=".2"><joint joint="k" coef="1.5"/>
 <joint joint="k2" coef="1"/></fixed></tendon></mujoco>""",
    "actuators": """
<mujoco><worldbody>
 <body pos="0 0 1"><joint name="h" axis="0 1 0" damping=".1"/><geom size=".1 .2" type="capsule" pos="0 0 .3"/>
  <body pos="0 0 .6"><joint name="s" type="slide" axis="1 0 0" actuatorfrcrange="-1 1"/><geom size=".1"/>
   <body pos="0 0 .2"><joint name="b" type="ball"/><geom type="box" size=".1 .2 .1" pos=".1 0 0"/></body></body></body>
 <body pos="1 0 0"><freejoint name="f"/><geom type="box" size=".1 .2 .3"/></body>
</worldbody>
<tendon><fixed name="t" actuatorfrcrange="-.5 .5"><joint joint="h" coef=".5"/><joint joint="s" coef="2"/></fixed>
</tendon>
<actuator>
 <motor joint="h" gear="3" ctrlrange="-.5 .5" ctrllimited="true"/><position joint="s" kp="20" kv="3"/>
 <velocity joint="h" kv="2" forcerange="-.1 .1"/><intvelocity joint="s" kp="4" actrange="-1 1"/>
 <damper joint="h" kv="3" ctrlrange="0 1"/><cylinder joint="s" timeconst=".3" area=".5"/>
 <motor joint="b" gear="1 2 3"/><motor jointinparent="b" gear="3 -1 .5"/>
 <motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear="1 2 3 4 5 6"/>
 <motor tendon="t" gear="2"/><position tendon="t" kp="5" kv="1"/>
 <general joint="h" dyntype="filterexact" dynprm=".2" gaintype="affine" gainprm="1 2 3" biastype="affine"
   biasprm=".1 .2 .3" actearly="true"/>
 <general joint="s" dyntype="integrator" group="3" gainprm="2"/>
</actuator></mujoco>""",
    "gravity compensation": """
<mujoco><worldbody><body pos="0 0 1" gravcomp=".7"><joint axis="0 1 0" actuatorgravcomp="true"/>
 <geom type="capsule" size=".1" fromto="0 0 0 .5 0 .1"/><body pos=".5 0 0" gravcomp="1"><joint axis="0 1 0"/>
 <geom size=".1" pos=".2 0 0"/></body></body><body><freejoint/><geom size=".1"/></body></worldbody>
 <actuator><motor/></actuator></mujoco>""".replace("<motor/>", '<motor joint="j"/>').replace(
        '<joint axis="0 1 0"/>', '<joint name="j" axis="0 1 0"/>'
    ),
    "nothing moves": "<mujoco><worldbody><geom size='.1'/><body pos='0 1 0'><geom size='.1'/></body></worldbody></mujoco>",
}

SENSOR_MODEL = """
<mujoco><option magnetic="1 2 3"><flag energy="enable"/></option><worldbody>
 <camera name="cam" pos="1 2 3" xyaxes="0 1 0 1 0 1"/><site name="ws" pos="0 1 0" euler="10 20 30"/>
 <body name="a" pos="0 0 1"><freejoint name="f"/><geom name="g" size=".1 .2 .3" type="box" pos=".1 0 .05"/>
  <site name="s1" pos=".1 .2 .3" euler="5 6 7"/>
  <body name="b" pos=".3 .1 0" euler="20 0 40"><joint name="ball" type="ball" pos=".02 0 .1"/>
   <geom name="g2" type="capsule" size=".05 .2" pos="0 .1 0" euler="40 50 60"/><site name="s2" pos=".1 0 .3"/>
   <camera name="cb" pos="0 0 .3" euler="10 0 30"/>
   <body name="c" pos="0 .3 .1"><joint name="h" axis="1 2 3" pos=".1 .1 .1"/>
    <geom type="ellipsoid" size=".1 .05 .2"/><site name="s3" euler="50 6 7"/></body></body></body>
</worldbody>
<tendon><fixed name="t"><joint joint="h" coef=".5"/></fixed></tendon>
<actuator><motor name="m" joint="h" gear="3"/><motor name="mt" tendon="t" gear="2"/></actuator>
<sensor>
 <accelerometer site="s1"/><accelerometer site="s3" cutoff="5"/><velocimeter site="s2"/><gyro site="s3"/>
 <force site="s2"/><torque site="s2"/><force site="s3"/><torque site="s3"/><torque site="s1"/><magnetometer site="s3"/>
 <jointpos joint="h"/><jointvel joint="h"/><tendonpos tendon="t"/><tendonvel tendon="t"/>
 <actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="mt"/><jointactuatorfrc joint="h"/>
 <tendonactuatorfrc tendon="t"/><ballquat joint="ball"/><ballangvel joint="ball"/>
 <framepos objtype="body" objname="b"/><framepos objtype="geom" objname="g2" reftype="site" refname="s3"/>
 <framequat objtype="body" objname="b" reftype="camera" refname="cb"/><framequat objtype="xbody" objname="c"/>
 <framequat objtype="geom" objname="g2"/><framequat objtype="site" objname="s3"/>
 <framexaxis objtype="site" objname="s3"/><frameyaxis objtype="geom" objname="g2" reftype="body" refname="a"/>
 <framezaxis objtype="camera" objname="cb"/>
 <framelinvel objtype="site" objname="s3"/><framelinvel objtype="body" objname="c" reftype="geom" refname="g2"/>
 <frameangvel objtype="xbody" objname="b"/><frameangvel objtype="geom" objname="g" reftype="site" refname="s3"/>
 <framelinacc objtype="site" objname="s3"/><frameangacc objtype="body" objname="c"/>
 <framelinacc objtype="body" objname="b"/><framelinacc objtype="camera" objname="cam"/>
 <subtreecom body="a"/><subtreelinvel body="b"/><subtreeangmom body="a"/><subtreeangmom body="b"/><clock/>
 <e_potential/><e_kinetic/>
</sensor></mujoco>"""
