"""A small world with flexes of every kind, in contact with a floor, sensors on them, and a skin on two of their bodies."""

FREE = '<contact selfcollide="none" internal="false"'
WORLD = f"""<mujoco><option timestep=".002" solver="CG" iterations="50" tolerance="1e-12"><flag energy="enable"/></option>
 <worldbody><geom type="plane" size="3 3 .1"/>
  <body name="floating" pos="0 0 1"><site name="down" euler="180 0 0"/></body>
  <flexcomp name="line" type="grid" dim="1" count="5 1 1" spacing=".1 .1 .1" mass=".1" radius=".01" pos="-1 0 .02">
   <edge stiffness="20" damping=".02"/>{FREE}/></flexcomp>
  <flexcomp name="sheet" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" mass=".2" radius=".01" pos="0 0 .03">
   <edge equality="true"/><pin id="0"/>{FREE} condim="3"/></flexcomp>
  <flexcomp name="shell" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" mass=".2" radius=".01" pos="0 1 .02">
   <elasticity young="3e3" poisson=".2" damping=".01" thickness=".02" elastic2d="both"/><edge damping=".01"/>{FREE}/></flexcomp>
  <flexcomp name="solid" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" mass=".5" radius=".01" pos="1 0 .12">
   <elasticity young="2e3" poisson=".2" damping=".005"/>{FREE}/></flexcomp>
  <flexcomp name="cell" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" mass=".5" radius=".01" pos="2 0 .17" dof="trilinear">
   <elasticity young="2e3" poisson=".2" damping=".005"/>{FREE}/></flexcomp>
 </worldbody>
 <deformable><skin name="skin" vertex="0 0 0  .1 0 0  0 .1 0  .1 .1 .1" face="0 1 2  1 3 2">
  <bone body="shell_0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 .5 .5"/>
  <bone body="shell_4" bindpos=".1 .1 0" bindquat="1 0 0 0" vertid="1 2 3" vertweight=".5 .5 1"/></skin></deformable>
 <sensor><clock/><e_potential/><e_kinetic/>
  <framepos objtype="body" objname="sheet_5"/><framelinvel objtype="xbody" objname="shell_3"/>
  <framelinacc objtype="body" objname="solid_3"/><subtreecom body="line_2"/><subtreelinvel body="solid_1"/>
  <framepos objtype="body" objname="line_0" reftype="body" refname="solid_0"/><rangefinder site="down"/>
 </sensor>{{}}</mujoco>"""
TEXT = WORLD.format("")


def with_keyframe(qpos, qvel) -> str:
    """The world with a keyframe."""
    rows = (f'{name}="{" ".join(map(repr, values.tolist()))}"' for name, values in (("qpos", qpos), ("qvel", qvel)))
    return WORLD.format(f'<keyframe><key name="fallen" time="3" {" ".join(rows)}/></keyframe>')
