"""Small models for the smooth dynamics, by their features."""

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
    "spatial tendons": """
<mujoco><worldbody>
 <site name="w" pos="-.3 .1 1.2"/><geom name="post" type="cylinder" size=".15 .1" pos=".2 .1 1" euler="20 70 10"/>
 <site name="side" pos=".2 .5 1.3"/>
 <body pos="0 0 1"><joint name="h" axis="0 1 .2" springref="30"/><geom size=".1 .2" type="capsule" pos="0 0 .3"/>
  <site name="a" pos=".2 .1 .3"/><geom name="ball" size=".12" pos=".1 .2 .6" mass=".1"/>
  <site name="in" pos=".1 .22 .63"/>
  <body pos="0 0 .6"><joint name="s" type="slide" axis="1 .3 0"/><geom size=".1"/><site name="b" pos="0 .3 .1"/>
   <body pos="0 0 .2"><joint name="b" type="ball"/><geom type="box" size=".1 .2 .1" pos=".1 0 0"/>
    <site name="c" pos=".2 .3 .4"/></body></body></body>
 <body pos="1 0 0"><freejoint name="f"/><geom type="box" size=".1 .2 .3"/><site name="d" pos=".1 .2 .3"/></body>
</worldbody>
<tendon>
 <spatial name="plain" armature=".3" stiffness="20" damping=".5"><site site="w"/><site site="a"/><site site="c"/></spatial>
 <spatial name="around" stiffness="5" springlength=".2 .5"><site site="w"/><geom geom="post"/><site site="b"/>
  <geom geom="ball" sidesite="w"/><site site="d"/></spatial>
 <spatial name="through" damping=".3"><site site="w"/><geom geom="ball" sidesite="in"/><site site="c"/></spatial>
 <spatial name="pulleys" frictionloss=".1" armature=".1"><site site="w"/><site site="d"/><pulley divisor="2"/><site site="a"/>
  <site site="c"/><pulley divisor="3"/><site site="b"/><site site="d"/></spatial>
 <fixed name="fixed" armature=".2"><joint joint="h" coef=".5"/><joint joint="s" coef="2"/></fixed>
 <spatial name="sided" width=".01"><site site="c"/><geom geom="post" sidesite="side"/><site site="d"/></spatial>
</tendon>
<actuator>
 <motor tendon="around" gear="2"/><position tendon="pulleys" kp="5" kv="1"/>
 <muscle tendon="through" lengthrange=".5 2"/><muscle joint="h" lengthrange="-1 2" tausmooth=".3" force="20"/>
 <general tendon="plain" gaintype="muscle" gainprm=".6 1.2 -1 50 .4 1.7 1.4 1.2 1.3" lengthrange=".3 1.8"/>
 <general joint="s" biastype="muscle" biasprm=".6 1.2 30 50 .4 1.7 1.4 1.2 1.3" lengthrange="-1 1" gaintype="user"
  dyntype="user" actdim="2"/>
 <general joint="h" dyntype="muscle" dynprm=".02 .05" actearly="true"/>
</actuator></mujoco>""",
    "fixed tendons of ball and free joints": """
<mujoco><worldbody><body><joint name="ball" type="ball"/><geom size=".1" pos=".1 0 0"/><body pos="1 0 0">
 <joint name="hinge"/><geom size=".1" pos=".1 0 .2"/></body></body>
 <body pos="0 2 0"><freejoint name="free"/><geom size=".1"/></body></worldbody>
<tendon><fixed stiffness="3" damping=".1"><joint joint="ball" coef="2"/><joint joint="hinge" coef=".5"/></fixed>
 <fixed armature=".2"><joint joint="free" coef="2"/><joint joint="hinge" coef=".5"/></fixed></tendon></mujoco>""",
    "sites and slider-cranks": """
<mujoco><worldbody><site name="w" pos=".1 .2 .3" euler="10 20 30"/>
 <body pos="0 0 1" euler="40 10 -20"><joint name="h" axis="0 1 0" damping=".1"/><geom size=".1 .2" type="capsule" pos="0 0 .3"/>
  <site name="a" pos=".1 .2 .3" euler="30 -10 20"/>
  <body pos="0 0 .6"><joint type="slide" axis="1 0 0"/><geom size=".1"/><joint axis="1 2 3"/>
   <site name="b" pos=".3 .1 .2" euler="60 -10 50"/></body></body>
 <body pos="1 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="d" pos=".1 .2 .3" euler="3 80 7"/></body>
</worldbody>
<actuator>
 <motor site="b" gear="1 2 3 4 5 6"/><motor site="d" gear="0 0 1 0 0 .1"/><motor site="w"/>
 <position site="b" refsite="a" kp="3" kv=".3" gear="1 0 2"/><motor site="d" refsite="w" gear="1 2 3 .1 .2 .3"/>
 <velocity site="b" refsite="d" gear="0 0 0 1 2 3"/><motor site="a" refsite="b"/>
 <motor cranksite="b" slidersite="w" cranklength="3" gear="2"/><position cranksite="d" slidersite="a" cranklength=".1" kp="2"/>
 <velocity cranksite="b" slidersite="a" cranklength="2" kv=".5"/>
</actuator></mujoco>""",
    "nothing moves": "<mujoco><worldbody><geom size='.1'/><body pos='0 1 0'><geom size='.1'/></body></worldbody></mujoco>",
}

SENSOR_MODEL = """
<mujoco><option magnetic="1 2 3"><flag energy="enable"/></option><worldbody>
 <camera name="cam" pos="1 2 3" xyaxes="0 1 0 1 0 1"/><site name="ws" pos="0 1 0" euler="10 20 30"/>
 <body name="a" pos="0 0 1"><freejoint name="f"/><geom name="g" size=".1 .2 .3" type="box" pos=".1 0 .05"/>
  <site name="s1" pos=".1 .2 .3" euler="5 6 7"/>
  <body name="b" pos=".3 .1 0" euler="20 0 40"><joint name="ball" type="ball" pos=".02 0 .1"/>
   <geom name="g2" type="capsule" size=".05 .2" pos="0 .1 0" euler="40 50 60"/><site name="s2" pos=".1 0 .3"/>
   <camera name="cb" pos="0 0 .3" euler="10 0 30" resolution="640 480" fovy="60"/>
   <camera name="ci" pos="0 .2 .5" resolution="64 48" sensorsize=".04 .03" focal=".05 .06" principal=".01 0"/>
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
 <camprojection site="s1" camera="cam"/><camprojection site="s3" camera="cb"/><camprojection site="s2" camera="ci" cutoff="50"/>
</sensor></mujoco>"""
