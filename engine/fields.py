"""One table of every array and number of Model and Data: name, type, shape, help.

Names and shapes are MuJoCo's (mjModel, mjData). Everything that holds or shows model and data loops over this
table: allocation, the layout inside compiled code (`engine/kernel.py`), copies, snapshots, comparison.

A row is `name | dtype | shape | help`. The shape's first word is a size of the model or a capacity of the data,
the others are numbers or sizes. Roles:
  size   an integer fixed with the model (or, for a capacity, until Data grows)
  cell   one number that may change at any time
  array
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

SIZES = """
nq nv nu na nbody njnt ngeom nsite ncam nlight nflex nflexnode nflexvert nflexedge nflexelem
nflexelemdata nflexelemedge nflexshelldata nflexevpair nflextexcoord nmesh nmeshvert nmeshnormal
nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert
nskinface nskinbone nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon
nwrap nsensor nnumeric nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nuser_body
nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nM nC nJmom ntree
ngravcomp nemax njmax nconmax nuserdata nsensordata nmpos nmquat nJten
"""

# The options and statistics: numbers that may be changed while the simulation runs.
MODEL_CELLS = """
opt_timestep | f8 | | integration step, s
opt_apirate | f8 | | update rate of an external interface, Hz
opt_impratio | f8 | | frictional to normal impedance of contacts with elliptic cones
opt_tolerance | f8 | | the solver stops when the scaled improvement falls below this
opt_ls_tolerance | f8 | | the same for the line search
opt_noslip_tolerance | f8 | | the same for the noslip solver
opt_ccd_tolerance | f8 | | tolerance of the convex collision detector, m
opt_density | f8 | | density of the medium, kg/m^3
opt_viscosity | f8 | | viscosity of the medium, Pa s
opt_o_margin | f8 | | margin of all contacts when contact override is on, m
opt_integrator | i8 | | 0 Euler, 1 RK4, 2 implicit, 3 implicitfast
opt_cone | i8 | | friction cones: 0 pyramidal, 1 elliptic
opt_jacobian | i8 | | 0 dense, 1 sparse, 2 auto
opt_solver | i8 | | 0 PGS, 1 CG, 2 Newton
opt_iterations | i8 | | most iterations of the main solver
opt_ls_iterations | i8 | | most iterations of its line search
opt_noslip_iterations | i8 | | most iterations of the noslip solver
opt_ccd_iterations | i8 | | most iterations of the convex collision detector
opt_disableflags | i8 | | bits of DisableBit: standard features switched off
opt_enableflags | i8 | | bits of EnableBit: optional features switched on
opt_disableactuator | i8 | | bits of actuator groups that are switched off
opt_sdf_initpoints | i8 | | starting points of the gradient descent on signed distances
opt_sdf_iterations | i8 | | iterations of that descent
stat_meaninertia | f8 | | mean diagonal of the joint-space inertia at qpos0
stat_meanmass | f8 | | mean body mass, kg
stat_meansize | f8 | | mean body size, m
stat_extent | f8 | | spatial extent of the model, m
"""

# dof_treeid and the tree_* rows are the blocks of the joint-space inertia; M is kept as the lower triangle in
# compressed rows: row i holds the dof ancestors of i in ascending order, i itself last.
MODEL = """
opt_gravity | f8 | 3 | gravity, m/s^2
opt_wind | f8 | 3 | velocity of the medium, m/s
opt_magnetic | f8 | 3 | global magnetic field
opt_o_solref | f8 | 2 | solref of all contacts when contact override is on
opt_o_solimp | f8 | 5 | solimp of all contacts when contact override is on
opt_o_friction | f8 | 5 | friction of all contacts when contact override is on
stat_center | f8 | 3 | centre of the model, m
tree_dofadr | i4 | ntree | first dof of each kinematic tree
tree_dofnum | i4 | ntree | number of dofs of each kinematic tree
M_rownnz | i4 | nv | number of entries in each row of M
M_rowadr | i4 | nv | address of each row of M
M_colind | i4 | nC | column of each entry of M
ten_J_rownnz | i4 | ntendon | number of entries in each row of ten_J
ten_J_rowadr | i4 | ntendon | address of each row of ten_J
ten_J_colind | i4 | nJten | dof of each entry of ten_J
qpos0 | f8 | nq |
qpos_spring | f8 | nq |
body_parentid | i4 | nbody |
body_rootid | i4 | nbody |
body_weldid | i4 | nbody |
body_mocapid | i4 | nbody |
body_jntnum | i4 | nbody |
body_jntadr | i4 | nbody |
body_dofnum | i4 | nbody |
body_dofadr | i4 | nbody |
body_treeid | i4 | nbody |
body_geomnum | i4 | nbody |
body_geomadr | i4 | nbody |
body_simple | u1 | nbody |
body_sameframe | u1 | nbody |
body_pos | f8 | nbody 3 |
body_quat | f8 | nbody 4 |
body_ipos | f8 | nbody 3 |
body_iquat | f8 | nbody 4 |
body_mass | f8 | nbody |
body_subtreemass | f8 | nbody |
body_inertia | f8 | nbody 3 |
body_invweight0 | f8 | nbody 2 |
body_gravcomp | f8 | nbody |
body_margin | f8 | nbody |
body_user | f8 | nbody nuser_body |
body_plugin | i4 | nbody |
body_contype | i4 | nbody |
body_conaffinity | i4 | nbody |
jnt_type | i4 | njnt |
jnt_qposadr | i4 | njnt |
jnt_dofadr | i4 | njnt |
jnt_bodyid | i4 | njnt |
jnt_group | i4 | njnt |
jnt_limited | u1 | njnt |
jnt_actfrclimited | u1 | njnt |
jnt_actgravcomp | u1 | njnt |
jnt_solref | f8 | njnt 2 |
jnt_solimp | f8 | njnt 5 |
jnt_pos | f8 | njnt 3 |
jnt_axis | f8 | njnt 3 |
jnt_stiffness | f8 | njnt |
jnt_range | f8 | njnt 2 |
jnt_actfrcrange | f8 | njnt 2 |
jnt_margin | f8 | njnt |
jnt_user | f8 | njnt nuser_jnt |
dof_bodyid | i4 | nv |
dof_jntid | i4 | nv |
dof_parentid | i4 | nv |
dof_treeid | i4 | nv |
dof_Madr | i4 | nv |
dof_simplenum | i4 | nv |
dof_solref | f8 | nv 2 |
dof_solimp | f8 | nv 5 |
dof_frictionloss | f8 | nv |
dof_armature | f8 | nv |
dof_damping | f8 | nv |
dof_invweight0 | f8 | nv |
dof_M0 | f8 | nv |
geom_type | i4 | ngeom |
geom_contype | i4 | ngeom |
geom_conaffinity | i4 | ngeom |
geom_condim | i4 | ngeom |
geom_bodyid | i4 | ngeom |
geom_dataid | i4 | ngeom |
geom_matid | i4 | ngeom |
geom_group | i4 | ngeom |
geom_priority | i4 | ngeom |
geom_plugin | i4 | ngeom |
geom_sameframe | u1 | ngeom |
geom_solmix | f8 | ngeom |
geom_solref | f8 | ngeom 2 |
geom_solimp | f8 | ngeom 5 |
geom_size | f8 | ngeom 3 |
geom_aabb | f8 | ngeom 6 |
geom_rbound | f8 | ngeom |
geom_pos | f8 | ngeom 3 |
geom_quat | f8 | ngeom 4 |
geom_friction | f8 | ngeom 3 |
geom_margin | f8 | ngeom |
geom_gap | f8 | ngeom |
geom_fluid | f8 | ngeom 12 |
geom_user | f8 | ngeom nuser_geom |
geom_rgba | f4 | ngeom 4 |
site_type | i4 | nsite |
site_bodyid | i4 | nsite |
site_matid | i4 | nsite |
site_group | i4 | nsite |
site_sameframe | u1 | nsite |
site_size | f8 | nsite 3 |
site_pos | f8 | nsite 3 |
site_quat | f8 | nsite 4 |
site_user | f8 | nsite nuser_site |
site_rgba | f4 | nsite 4 |
cam_mode | i4 | ncam |
cam_bodyid | i4 | ncam |
cam_targetbodyid | i4 | ncam |
cam_pos | f8 | ncam 3 |
cam_quat | f8 | ncam 4 |
cam_poscom0 | f8 | ncam 3 |
cam_pos0 | f8 | ncam 3 |
cam_mat0 | f8 | ncam 9 |
cam_orthographic | i4 | ncam |
cam_fovy | f8 | ncam |
cam_ipd | f8 | ncam |
cam_resolution | i4 | ncam 2 |
cam_sensorsize | f4 | ncam 2 |
cam_intrinsic | f4 | ncam 4 |
cam_user | f8 | ncam nuser_cam |
light_mode | i4 | nlight |
light_bodyid | i4 | nlight |
light_targetbodyid | i4 | nlight |
light_type | i4 | nlight |
light_texid | i4 | nlight |
light_castshadow | u1 | nlight |
light_bulbradius | f4 | nlight |
light_intensity | f4 | nlight |
light_range | f4 | nlight |
light_active | u1 | nlight |
light_pos | f8 | nlight 3 |
light_dir | f8 | nlight 3 |
light_poscom0 | f8 | nlight 3 |
light_pos0 | f8 | nlight 3 |
light_dir0 | f8 | nlight 3 |
light_attenuation | f4 | nlight 3 |
light_cutoff | f4 | nlight |
light_exponent | f4 | nlight |
light_ambient | f4 | nlight 3 |
light_diffuse | f4 | nlight 3 |
light_specular | f4 | nlight 3 |
mesh_vertadr | i4 | nmesh |
mesh_vertnum | i4 | nmesh |
mesh_normaladr | i4 | nmesh |
mesh_normalnum | i4 | nmesh |
mesh_texcoordadr | i4 | nmesh |
mesh_texcoordnum | i4 | nmesh |
mesh_faceadr | i4 | nmesh |
mesh_facenum | i4 | nmesh |
mesh_graphadr | i4 | nmesh |
mesh_scale | f8 | nmesh 3 |
mesh_pos | f8 | nmesh 3 |
mesh_quat | f8 | nmesh 4 |
mesh_vert | f4 | nmeshvert 3 |
mesh_normal | f4 | nmeshnormal 3 |
mesh_texcoord | f4 | nmeshtexcoord 2 |
mesh_face | i4 | nmeshface 3 |
mesh_facenormal | i4 | nmeshface 3 |
mesh_facetexcoord | i4 | nmeshface 3 |
mesh_graph | i4 | nmeshgraph |
mesh_polynum | i4 | nmesh |
mesh_polyadr | i4 | nmesh |
mesh_polynormal | f8 | nmeshpoly 3 |
mesh_polyvertadr | i4 | nmeshpoly |
mesh_polyvertnum | i4 | nmeshpoly |
mesh_polyvert | i4 | nmeshpolyvert |
mesh_polymapadr | i4 | nmeshvert |
mesh_polymapnum | i4 | nmeshvert |
mesh_polymap | i4 | nmeshpolymap |
hfield_size | f8 | nhfield 4 |
hfield_nrow | i4 | nhfield |
hfield_ncol | i4 | nhfield |
hfield_adr | i4 | nhfield |
hfield_data | f4 | nhfielddata |
tex_type | i4 | ntex |
tex_colorspace | i4 | ntex |
tex_height | i4 | ntex |
tex_width | i4 | ntex |
tex_nchannel | i4 | ntex |
tex_adr | i4 | ntex |
tex_data | u1 | ntexdata |
mat_texid | i4 | nmat 10 |
mat_texuniform | u1 | nmat |
mat_texrepeat | f4 | nmat 2 |
mat_emission | f4 | nmat |
mat_specular | f4 | nmat |
mat_shininess | f4 | nmat |
mat_reflectance | f4 | nmat |
mat_metallic | f4 | nmat |
mat_roughness | f4 | nmat |
mat_rgba | f4 | nmat 4 |
pair_dim | i4 | npair |
pair_geom1 | i4 | npair |
pair_geom2 | i4 | npair |
pair_signature | i4 | npair |
pair_solref | f8 | npair 2 |
pair_solreffriction | f8 | npair 2 |
pair_solimp | f8 | npair 5 |
pair_margin | f8 | npair |
pair_gap | f8 | npair |
pair_friction | f8 | npair 5 |
exclude_signature | i4 | nexclude |
eq_type | i4 | neq |
eq_obj1id | i4 | neq |
eq_obj2id | i4 | neq |
eq_objtype | i4 | neq |
eq_active0 | u1 | neq |
eq_solref | f8 | neq 2 |
eq_solimp | f8 | neq 5 |
eq_data | f8 | neq 11 |
tendon_adr | i4 | ntendon |
tendon_num | i4 | ntendon |
tendon_matid | i4 | ntendon |
tendon_group | i4 | ntendon |
tendon_limited | u1 | ntendon |
tendon_actfrclimited | u1 | ntendon |
tendon_width | f8 | ntendon |
tendon_solref_lim | f8 | ntendon 2 |
tendon_solimp_lim | f8 | ntendon 5 |
tendon_solref_fri | f8 | ntendon 2 |
tendon_solimp_fri | f8 | ntendon 5 |
tendon_range | f8 | ntendon 2 |
tendon_actfrcrange | f8 | ntendon 2 |
tendon_margin | f8 | ntendon |
tendon_stiffness | f8 | ntendon |
tendon_damping | f8 | ntendon |
tendon_armature | f8 | ntendon |
tendon_frictionloss | f8 | ntendon |
tendon_lengthspring | f8 | ntendon 2 |
tendon_length0 | f8 | ntendon |
tendon_invweight0 | f8 | ntendon |
tendon_user | f8 | ntendon nuser_tendon |
tendon_rgba | f4 | ntendon 4 |
wrap_type | i4 | nwrap |
wrap_objid | i4 | nwrap |
wrap_prm | f8 | nwrap |
actuator_trntype | i4 | nu |
actuator_dyntype | i4 | nu |
actuator_gaintype | i4 | nu |
actuator_biastype | i4 | nu |
actuator_trnid | i4 | nu 2 |
actuator_actadr | i4 | nu |
actuator_actnum | i4 | nu |
actuator_group | i4 | nu |
actuator_ctrllimited | u1 | nu |
actuator_forcelimited | u1 | nu |
actuator_actlimited | u1 | nu |
actuator_dynprm | f8 | nu 10 |
actuator_gainprm | f8 | nu 10 |
actuator_biasprm | f8 | nu 10 |
actuator_actearly | u1 | nu |
actuator_ctrlrange | f8 | nu 2 |
actuator_forcerange | f8 | nu 2 |
actuator_actrange | f8 | nu 2 |
actuator_gear | f8 | nu 6 |
actuator_cranklength | f8 | nu |
actuator_acc0 | f8 | nu |
actuator_length0 | f8 | nu |
actuator_lengthrange | f8 | nu 2 |
actuator_user | f8 | nu nuser_actuator |
actuator_plugin | i4 | nu |
sensor_type | i4 | nsensor |
sensor_datatype | i4 | nsensor |
sensor_needstage | i4 | nsensor |
sensor_objtype | i4 | nsensor |
sensor_objid | i4 | nsensor |
sensor_reftype | i4 | nsensor |
sensor_refid | i4 | nsensor |
sensor_dim | i4 | nsensor |
sensor_adr | i4 | nsensor |
sensor_cutoff | f8 | nsensor |
sensor_noise | f8 | nsensor |
sensor_user | f8 | nsensor nuser_sensor |
sensor_plugin | i4 | nsensor |
numeric_adr | i4 | nnumeric |
numeric_size | i4 | nnumeric |
numeric_data | f8 | nnumericdata |
text_adr | i4 | ntext |
text_size | i4 | ntext |
tuple_adr | i4 | ntuple |
tuple_size | i4 | ntuple |
tuple_objtype | i4 | ntupledata |
tuple_objid | i4 | ntupledata |
tuple_objprm | f8 | ntupledata |
key_time | f8 | nkey |
key_qpos | f8 | nkey nq |
key_qvel | f8 | nkey nv |
key_act | f8 | nkey na |
key_mpos | f8 | nkey nmpos |
key_mquat | f8 | nkey nmquat |
key_ctrl | f8 | nkey nu |
"""

DATA_CAPACITIES = "nconmax njmax nJmax nnearmax"

DATA_CELLS = """
time | f8 | | simulation time, s
ncon | i8 | | number of contacts
ne | i8 | | number of equality rows
nf | i8 | | number of friction-loss rows
nl | i8 | | number of limit rows
nefc | i8 | | number of constraint rows
nJ | i8 | | number of entries of efc_J in use
nisland | i8 | | number of constraint islands
solver_niter | i8 | | iterations of the constraint solver in the last step
redo | i8 | | set by a check that wants the stages of this step run again
need_con | i8 | | contacts that did not fit: Data must grow to hold this many (0: all fit)
need_efc | i8 | | constraint rows that did not fit, likewise
need_J | i8 | | entries of efc_J that did not fit, likewise
need_near | i8 | | candidate pairs of the broad phase that did not fit, likewise
sweep_ready | i8 | | whether sweep_body and sweep_geom are listed
nsweep_body | i8 | | number of bodies in sweep_body
nsweep_geom | i8 | | number of geoms in sweep_geom
"""

DATA = """
qpos | f8 | nq |
qvel | f8 | nv |
act | f8 | na |
qacc_warmstart | f8 | nv |
ctrl | f8 | nu |
qfrc_applied | f8 | nv |
xfrc_applied | f8 | nbody 6 |
eq_active | u1 | neq |
mocap_pos | f8 | nmocap 3 |
mocap_quat | f8 | nmocap 4 |
qacc | f8 | nv |
act_dot | f8 | na |
userdata | f8 | nuserdata |
sensordata | f8 | nsensordata |
xpos | f8 | nbody 3 |
xquat | f8 | nbody 4 |
xmat | f8 | nbody 9 |
xipos | f8 | nbody 3 |
ximat | f8 | nbody 9 |
xanchor | f8 | njnt 3 |
xaxis | f8 | njnt 3 |
geom_xpos | f8 | ngeom 3 |
geom_xmat | f8 | ngeom 9 |
site_xpos | f8 | nsite 3 |
site_xmat | f8 | nsite 9 |
cam_xpos | f8 | ncam 3 |
cam_xmat | f8 | ncam 9 |
light_xpos | f8 | nlight 3 |
light_xdir | f8 | nlight 3 |
subtree_com | f8 | nbody 3 |
cdof | f8 | nv 6 |
cinert | f8 | nbody 10 |
ten_wrapadr | i4 | ntendon |
ten_wrapnum | i4 | ntendon |
ten_length | f8 | ntendon |
wrap_obj | i4 | nwrap 2 |
wrap_xpos | f8 | nwrap 6 |
actuator_length | f8 | nu |
actuator_moment | f8 | nJmom |
crb | f8 | nbody 10 |
M | f8 | nC |
qLD | f8 | nC |
qLDiagInv | f8 | nv |
ten_velocity | f8 | ntendon |
actuator_velocity | f8 | nu |
cvel | f8 | nbody 6 |
cdof_dot | f8 | nv 6 |
qfrc_bias | f8 | nv |
qfrc_spring | f8 | nv |
qfrc_damper | f8 | nv |
qfrc_gravcomp | f8 | nv |
qfrc_fluid | f8 | nv |
qfrc_passive | f8 | nv |
subtree_linvel | f8 | nbody 3 |
subtree_angmom | f8 | nbody 3 |
qH | f8 | nC |
qHDiagInv | f8 | nv |
actuator_force | f8 | nu |
qfrc_actuator | f8 | nv |
qfrc_smooth | f8 | nv |
qacc_smooth | f8 | nv |
qfrc_constraint | f8 | nv |
qfrc_inverse | f8 | nv |
cacc | f8 | nbody 6 |
cfrc_int | f8 | nbody 6 |
cfrc_ext | f8 | nbody 6 |
ten_J | f8 | nJten | tendon Jacobian, compressed rows as in model.ten_J_*
moment_rownnz | i4 | nu | number of entries in each row of actuator_moment
moment_rowadr | i4 | nu | address of each row of actuator_moment
moment_colind | i4 | nJmom | dof of each entry of actuator_moment
energy | f8 | 2 | potential and kinetic energy, J
warning | i8 | 8 2 | for each Warning: the last detail, and how often it was raised
contact_dist | f8 | nconmax | distance between the nearest points, negative in penetration, m
contact_pos | f8 | nconmax 3 | midpoint between the nearest points, m
contact_frame | f8 | nconmax 9 | rows: normal from geom1 to geom2, two tangents
contact_includemargin | f8 | nconmax | the contact makes constraints when dist is below this, m
contact_friction | f8 | nconmax 5 | tangent 1 and 2, spin, roll 1 and 2
contact_solref | f8 | nconmax 2 | solver reference, normal direction
contact_solreffriction | f8 | nconmax 2 | solver reference, friction directions
contact_solimp | f8 | nconmax 5 | solver impedance
contact_mu | f8 | nconmax | friction of the regularised cone
contact_H | f8 | nconmax 36 | cone Hessian
contact_dim | i4 | nconmax | 1, 3, 4 or 6
contact_geom | i4 | nconmax 2 | the two geoms
contact_exclude | i4 | nconmax | 0 included, 1 in the gap, 2 fused, 3 no dofs
contact_efc_address | i4 | nconmax | first constraint row, -1 if none
efc_type | i4 | njmax | ConstraintType
efc_id | i4 | njmax | the equality, dof, joint, tendon or contact that the row comes from
efc_pos | f8 | njmax | position: equality residual, limit or contact distance
efc_margin | f8 | njmax | inclusion margin
efc_frictionloss | f8 | njmax | friction loss
efc_diagApprox | f8 | njmax | approximate diagonal of A
efc_KBIP | f8 | njmax 4 | stiffness, damping, impedance, its derivative
efc_D | f8 | njmax | constraint mass
efc_R | f8 | njmax | inverse constraint mass
efc_vel | f8 | njmax | velocity in constraint space
efc_aref | f8 | njmax | reference acceleration
efc_force | f8 | njmax | constraint force
efc_state | i4 | njmax | ConstraintState
qacc_step | f8 | nv | acceleration that the integrator used
rne_cacc | f8 | nbody 6 | scratch of rne: accelerations without joint accelerations
rne_cfrc | f8 | nbody 6 | scratch of rne: forces between bodies
collision_function | i8 | 81 | address of the collision function of each pair of geom types
geom_bounds | f8 | ngeom 6 | world boxes of the geoms with their margins: low corner, high corner
body_bounds | f8 | nbody 6 | the same of moving bodies
sweep_body | i4 | nbody | moving bodies in the order of the last sweep
sweep_geom | i4 | ngeom | fixed geoms in the order of the last sweep
sweep_body_box | f8 | nbody 6 | bounds in that order: low and high along the axis of the sweep, then the others
sweep_geom_box | f8 | ngeom 6 | the same of the fixed geoms
near_bodies | i8 | nnearmax | candidates of the broad phase: lower body * nbody + higher body
near_geoms | i8 | nnearmax | geom * ngeom + geom, or a pair of the model minus npair
near_dist | f8 | 50 | contacts of one pair of geoms: distance
near_pos | f8 | 50 3 | position
near_frame | f8 | 50 6 | normal, then a direction for the first tangent (zero: any)
tendon_efcadr | i4 | ntendon | limit row of each tendon, -1 if none
dof_island | i4 | nv | island of each dof, -1 if unconstrained
"""


@dataclass(frozen=True)
class Field:
    name: str
    dtype: str
    shape: tuple[int | str, ...]
    help: str
    role: str

    @property
    def inner(self) -> tuple[int, ...]:
        """Inner dimensions inside compiled code: arrays whose inner dimension is a size are flat there."""
        if len(self.shape) > 1 and all(isinstance(n, int) for n in self.shape[1:]):
            return self.shape[1:]
        return ()


def _rows(text: str, role: str) -> list[Field]:
    result = []
    for line in text.strip().splitlines():
        name, dtype, shape, note = (part.strip() for part in line.split("|", 3))
        words = tuple(int(word) if word.isdigit() else word for word in shape.split())
        result.append(Field(name, dtype, words, note, role))
    return result


def _sizes(text: str) -> list[Field]:
    return [Field(name, "i8", (), "", "size") for name in text.split()]


TABLES: dict[str, list[Field]] = {
    "Model": _sizes(SIZES) + _rows(MODEL_CELLS, "cell") + _rows(MODEL, "array"),
    "Data": _sizes(DATA_CAPACITIES) + _rows(DATA_CELLS, "cell") + _rows(DATA, "array"),
}


@functools.cache
def by_name(kind: str) -> dict[str, Field]:
    return {field.name: field for field in TABLES[kind]}


DTYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "i8": np.int64, "u1": np.uint8}


class Table:
    """Arrays by name, and the table of their addresses that compiled code reads.

    Attributes are numpy arrays (cells and sizes: numbers) that share their memory with the kernels. Assigning to
    an array attribute copies into it.
    """

    kind = ""

    def __init__(self, sizes: dict[str, int]):
        put = object.__setattr__
        rows = TABLES[self.kind]
        put(self, "_dims", sizes)
        put(self, "_sizes", {f.name: int(sizes.get(f.name, 0)) for f in rows if f.role == "size"})
        put(self, "_cells", {f.name: np.zeros(1, DTYPES[f.dtype]) for f in rows if f.role == "cell"})
        put(self, "_arrays", {})
        put(self, "_table", np.zeros(2 * len(rows), np.int64))
        put(self, "address", self._table.ctypes.data)
        for slot, field in enumerate(rows):
            if field.role == "size":
                self._table[2 * slot] = self._sizes[field.name]
            elif field.role == "cell":
                self._table[2 * slot] = self._cells[field.name].ctypes.data
            else:
                self._allocate(slot, field)

    def _length(self, word: int | str) -> int:
        return word if isinstance(word, int) else int(self._dims[word])

    def _allocate(self, slot: int, field: Field) -> None:
        shape = tuple(self._length(word) for word in field.shape)
        self._place(slot, field, np.zeros(shape, DTYPES[field.dtype]))

    def _place(self, slot: int, field: Field, array: np.ndarray) -> None:
        self._arrays[field.name] = array
        self._table[2 * slot] = array.ctypes.data
        self._table[2 * slot + 1] = array.shape[0] if field.inner else array.size

    def __getattr__(self, name):
        arrays = self.__dict__.get("_arrays")
        if arrays is not None:
            if name in arrays:
                return arrays[name]
            if name in self._sizes:
                return self._sizes[name]
            if name in self._cells:
                return self._cells[name][0].item()
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __setattr__(self, name, value):
        if name in self._arrays:
            self._arrays[name][...] = value
        elif name in self._cells:
            self._cells[name][0] = value
        elif name in self._sizes:
            raise AttributeError(f"{name} is a size: it is fixed with the model")
        else:
            object.__setattr__(self, name, value)

    def __dir__(self):
        return [*super().__dir__(), *self._arrays, *self._sizes, *self._cells]
