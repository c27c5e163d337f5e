"""The rows of Data in the table of `engine/model/fields.py`, where the columns are explained:
name | dtype | shape | role | unit | help.
"""

# Memory that grows while simulating: the first dimension of the arrays whose length depends on the state. A stage that
# runs out of one asks for more in data.need (engine/jit/capacity.py), Data grows, and the stage is run again.
CAPACITIES = (
    "nconmax",
    "njmax",
    "nsegmax",
    "nJmax",
    "npairmax",
    "nadjmax",
    "nsubmax",
    "nHmax",
    "nnearmax",
    "nBmax",
    "nchunkmax",
    "nccdmax",
)
SIZES = " ".join(CAPACITIES) + " nxmax nsdfmax"

CELLS = """
time | f8 | | state snapshot | s | simulation time
ncon | i8 | | output snapshot | | number of contacts
ne | i8 | | output snapshot | | number of equality rows
nf | i8 | | output snapshot | | number of friction-loss rows
nl | i8 | | output snapshot | | number of limit rows
nefc | i8 | | output snapshot | | number of constraint rows
nJ | i8 | | output | | number of entries of seg_J in use
ngrp | i8 | | scratch | | number of groups of constraint rows
nseg | i8 | | scratch | | number of Jacobian segments
npair | i8 | | scratch | | number of pairs of blocks that rows or the inertia couple
nnode | i8 | | scratch | | number of nodes of the Hessian's elimination
nbatch | i8 | | scratch | | dual solvers: number of batches of rows
nknown | i8 | | scratch | | 1 + number of pairs in pair_known, 0 when there is no elimination order yet
nisland | i8 | | output snapshot | | number of constraint islands
nreset | i8 | | output snapshot | | automatic resets since the last reset from outside
needs_memory | i8 | | scratch | | 1: a stage ran out of memory and has to be run again after Data has grown
stage | i8 | | scratch | | the stage of the step that ran out of memory
redo | i8 | | scratch | | 1: a check wants the stages of this step run again; 2: this is that run
substep | i8 | | scratch | | RK4: evaluations of the forward dynamics that are done in this step
rk4_time | f8 | | scratch | s | RK4: time at the start of the step
ctrl_bad | i8 | | scratch | | whether a control is not a number or huge, so that all count as zero
nnear | i8 | | scratch | | number of candidate pairs
nsdfpoint | i8 | | output snapshot | | number of points of descents in signed-distance collisions
sweep_ready | i8 | | scratch | | whether sweep_body and sweep_geom are listed
nsweep_body | i8 | | scratch | | number of bodies in sweep_body
nsweep_geom | i8 | | scratch | | number of geoms in sweep_geom
ccd_dist | f8 | | scratch | | convex collision: distance of the two objects, negative in penetration, inf beyond the cutoff
ccd_nsimplex | i8 | | scratch | | convex collision: number of vertices of the simplex
ccd_npoint | i8 | | scratch | | convex collision: number of vertices of the polytope
ccd_nface | i8 | | scratch | | convex collision: number of rows of ccd_face that have been used
ccd_nfree | i8 | | scratch | | convex collision: number of rows in ccd_free
ccd_ncandidate | i8 | | scratch | | convex collision: number of faces in ccd_candidate
recorder | i8 | | address | | program of the recorder (engine/run/recorder.py), 0 for none
pool | i8 | | address | | memory of the threads that share a step (engine/jit/parallel.py), 0 for none
timer | i8 | | address | | memory of the stage timer (engine/run/timing.py), 0 for none
"""

ARRAYS = """
qpos | f8 | nq | state snapshot | | positions
qvel | f8 | nv | state snapshot | rad/s, m/s | velocities
act | f8 | na | state snapshot | | activations of actuators
qacc_warmstart | f8 | nv | state | | acceleration that the solver starts from
ctrl | f8 | nu | input snapshot | | controls
qfrc_applied | f8 | nv | input snapshot | N m, N | forces applied by the user in joint space
xfrc_applied | f8 | nbody 6 | input snapshot | N, N m | forces and torques applied by the user at centres of mass
eq_active | u1 | neq | input snapshot | | which equalities are on
mocap_pos | f8 | nmocap 3 | input snapshot | m | positions of mocap bodies
mocap_quat | f8 | nmocap 4 | input snapshot | | orientations of mocap bodies
qacc | f8 | nv | output snapshot | rad/s², m/s² | accelerations
act_dot | f8 | na | output | | rates of the activations
plugin_state | f8 | npluginstate | state snapshot | | states of plugins
userdata | f8 | nuserdata | input snapshot | | numbers of the user
sensordata | f8 | nsensordata | output snapshot | | values of all sensors
xpos | f8 | nbody 3 | output snapshot | m | positions of bodies
xquat | f8 | nbody 4 | output snapshot | | orientations of bodies
xmat | f8 | nbody 9 | output snapshot | | orientations of bodies, matrices
xipos | f8 | nbody 3 | output snapshot | m | centres of mass
ximat | f8 | nbody 9 | output snapshot | | orientations of the principal axes
xanchor | f8 | njnt 3 | output snapshot | m | anchors of joints
xaxis | f8 | njnt 3 | output snapshot | | axes of joints
geom_xpos | f8 | ngeom 3 | output snapshot | m | positions of geoms
geom_xmat | f8 | ngeom 9 | output snapshot | | orientations of geoms
site_xpos | f8 | nsite 3 | output snapshot | m | positions of sites
site_xmat | f8 | nsite 9 | output snapshot | | orientations of sites
cam_xpos | f8 | ncam 3 | output snapshot | m | positions of cameras
cam_xmat | f8 | ncam 9 | output snapshot | | orientations of cameras
light_xpos | f8 | nlight 3 | output snapshot | m | positions of lights
light_xdir | f8 | nlight 3 | output snapshot | | directions of lights
flexvert_xpos | f8 | nflexvert 3 | output snapshot | m | positions of the vertices of flexes
flexelem_aabb | f8 | nflexelem 6 | output | m | boxes around the elements, with the radius: centre, half sizes
flexedge_length | f8 | nflexedge | output | m | lengths of the edges of flexes
flexedge_J | f8 | nJfe | output | | their derivatives by the dofs, compressed rows as in model.flexedge_J_*
subtree_com | f8 | nbody 3 | output snapshot | m | centres of mass of bodies with all below them
cdof | f8 | nv 6 | output | | motion axes about the root's centre of mass: angular, linear
cinert | f8 | nbody 10 | output | | inertias of bodies about the root's centre of mass
ten_wrapadr | i4 | ntendon | output snapshot | | first point of each tendon's path
ten_wrapnum | i4 | ntendon | output snapshot | | number of points of each tendon's path
ten_length | f8 | ntendon | output snapshot | m | lengths of tendons
wrap_obj | i4 | nwrap 2 | output snapshot | | geoms at the points of paths, -1 if none
wrap_xpos | f8 | nwrap 6 | output snapshot | m | points of paths
actuator_length | f8 | nu | output snapshot | | lengths of actuators
actuator_moment | f8 | nJmom | output | | moment arms, compressed rows
crb | f8 | nbody 10 | output | | composite inertias of bodies with all below them
M | f8 | nC | output | | joint-space inertia: lower triangle, rows as in model.M_*
qLD | f8 | nC | output | | factor L'DL of M, same rows
qLDiagInv | f8 | nv | output | | inverse of D
ten_velocity | f8 | ntendon | output snapshot | m/s | velocities of tendons
actuator_velocity | f8 | nu | output snapshot | | velocities of actuators
flexedge_velocity | f8 | nflexedge | output | m/s | velocities of the lengths of the edges of flexes
cvel | f8 | nbody 6 | output snapshot | rad/s, m/s | velocities of bodies about the root's centre of mass
cdof_dot | f8 | nv 6 | output | | rates of cdof
qfrc_bias | f8 | nv | output | N m, N | Coriolis, centrifugal and gravity forces
qfrc_spring | f8 | nv | output | N m, N | spring forces
qfrc_damper | f8 | nv | output | N m, N | damping forces
qfrc_gravcomp | f8 | nv | output | N m, N | gravity compensation
qfrc_fluid | f8 | nv | output | N m, N | forces of the medium
qfrc_passive | f8 | nv | output | N m, N | all passive forces
subtree_linvel | f8 | nbody 3 | output | m/s | velocities of the subtrees' centres of mass
subtree_angmom | f8 | nbody 3 | output | kg m²/s | angular momenta about them
qH | f8 | nC | output | | factor of the integrator's matrix, rows as in M
qHDiagInv | f8 | nv | output | | inverse of its D
qDeriv | f8 | nC | output | | derivatives of smooth forces by velocities, rows as in M: force of the row's dof by velocity of the column's
qDeriv_upper | f8 | nC | output | | the same, transposed: force of the column's dof by velocity of the row's; only the integrator implicit uses it
qLU | f8 | nC | output | | LU factor of M - timestep qDeriv for implicit: the unit lower triangle, rows as in M, and the pivots on the diagonal
qLU_upper | f8 | nC | output | | its upper triangle, transposed
actuator_force | f8 | nu | output snapshot | | forces of actuators
qfrc_actuator | f8 | nv | output snapshot | N m, N | their forces in joint space
qfrc_smooth | f8 | nv | output | N m, N | all forces but constraint forces
qacc_smooth | f8 | nv | output | rad/s², m/s² | acceleration without constraints
qfrc_constraint | f8 | nv | output | N m, N | constraint forces in joint space
qfrc_inverse | f8 | nv | output | N m, N | forces found by inverse dynamics
cacc | f8 | nbody 6 | output | rad/s², m/s² | accelerations of bodies about the root's centre of mass
cfrc_int | f8 | nbody 6 | output | N m, N | forces from the parent through the joint
cfrc_ext | f8 | nbody 6 | output | N m, N | external forces on bodies
ten_J | f8 | nJten | output | | tendon Jacobian, compressed rows as in model.ten_J_*
moment_rownnz | i4 | nu | output | | number of entries in each row of actuator_moment
moment_rowadr | i4 | nu | output | | address of each row of actuator_moment
moment_colind | i4 | nJmom | output | | dof of each entry of actuator_moment
muscle_gain | f8 | nu | scratch | | gains of muscles and of actuators with a gain of type user
muscle_gain_vel | f8 | nu | scratch | | their derivatives by the velocity of the length
muscle_bias | f8 | nu | scratch | | passive forces of muscles, bias forces of type user
energy | f8 | 2 | output snapshot | J | potential and kinetic energy
solver_fwdinv | f8 | 2 | output snapshot | | norms of the differences of forward and inverse dynamics: constraint forces, applied forces
solver_niter | i4 | 20 | output snapshot | | iterations of the constraint solver, noslip included, by island; the first entry where the model is solved as a whole
solver_improvement | f8 | 4000 | output | | decrease of the cost, scaled, in iteration k of island i: entry 200 i + k
solver_gradient | f8 | 4000 | output | | likewise: norm of the gradient after the iteration, scaled
solver_lineslope | f8 | 4000 | output | | likewise: slope of the cost where the line search ended, scaled
solver_nactive | i4 | 4000 | output | | likewise: number of active constraint rows
solver_nchange | i4 | 4000 | output | | likewise: number of rows whose state changed
solver_neval | i4 | 4000 | output | | likewise: evaluations of the cost in the line search
solver_nupdate | i4 | 4000 | output | | likewise: rank-one changes of the Hessian
probe | f8 | 7 | scratch | | work space of the search for length ranges
need | i8 | 12 | scratch | | how much of each of CAPACITIES a stage asks for, 0 where there is enough
warning | i8 | 8 2 | output snapshot | | for each WARN_: MuJoCo's lastinfo (index of the bad entry) and number (how often)
warning_time | f8 | 8 | output snapshot | s | simulation time at which each warning was first raised
contact_dist | f8 | nconmax | output snapshot | m | distance between the nearest points, negative in penetration
contact_pos | f8 | nconmax 3 | output snapshot | m | midpoint between the nearest points
contact_frame | f8 | nconmax 9 | output snapshot | | rows: normal from geom1 to geom2, two tangents
contact_includemargin | f8 | nconmax | output snapshot | m | the contact makes constraints when dist is below this
contact_friction | f8 | nconmax 5 | output snapshot | | tangent 1 and 2, spin, roll 1 and 2
contact_solref | f8 | nconmax 2 | output | | solver reference, normal direction
contact_solreffriction | f8 | nconmax 2 | output | | solver reference, friction directions
contact_solimp | f8 | nconmax 5 | output | | solver impedance
contact_mu | f8 | nconmax | output snapshot | | friction of the regularised cone
contact_H | f8 | nconmax 36 | output | | cone Hessian
contact_dH | f8 | nconmax 36 | scratch | | last change of contact_H
contact_dim | i4 | nconmax | output snapshot | | 1, 3, 4 or 6
contact_geom | i4 | nconmax 2 | output snapshot | | the geoms of the two sides, -1 where a side is part of a flex
contact_flex | i4 | nconmax 2 | output snapshot | | the flexes of the two sides, -1 where a side is a geom
contact_elem | i4 | nconmax 2 | output snapshot | | the elements of the flexes, -1 where a side is a geom or a vertex
contact_vert | i4 | nconmax 2 | output snapshot | | the vertices of the flexes, -1 where a side is a geom or an element
contact_exclude | i4 | nconmax | output snapshot | | 0 included, 1 in the gap, 2 fused, 3 no dofs
contact_efc_address | i4 | nconmax | output snapshot | | first constraint row, -1 if none
efc_type | i4 | njmax | output snapshot | | ConstraintType
efc_id | i4 | njmax | output snapshot | | the equality, dof, joint, tendon or contact that the row comes from
efc_pos | f8 | njmax | output snapshot | | position: equality residual, limit or contact distance
efc_margin | f8 | njmax | output | | inclusion margin
efc_frictionloss | f8 | njmax | output | | friction loss
efc_diagApprox | f8 | njmax | output | | approximate diagonal of A
efc_KBIP | f8 | njmax 4 | output | | stiffness, damping, impedance, its derivative
efc_D | f8 | njmax | output | | constraint mass
efc_R | f8 | njmax | output | | inverse constraint mass
efc_vel | f8 | njmax | output | | velocity in constraint space
efc_aref | f8 | njmax | output | | reference acceleration
efc_b | f8 | njmax | output | | J qacc_smooth - aref: the linear term of the dual problem
efc_force | f8 | njmax | output snapshot | | constraint force
efc_state | i4 | njmax | output snapshot | | ConstraintState
grp_kind | i4 | njmax | scratch | | law of a group of rows with one sparsity pattern: quadratic, friction, unilateral, pyramid, cone
grp_row | i4 | njmax | scratch | | first constraint row of the group
grp_nrow | i4 | njmax | scratch | | number of its constraint rows
grp_dim | i4 | njmax | scratch | | number of its rows in seg_J: pyramid rows are combinations of them
grp_seg | i4 | njmax | scratch | | first segment of the group
grp_nseg | i4 | njmax | scratch | | number of its segments
grp_pair | i4 | njmax | scratch | | first pair of its segments
efc_weight | f8 | njmax | scratch | | weight of each row that is in the Hessian now; of cones contact_H
grp_changed | i4 | njmax | scratch | | groups whose weights changed in an iteration
batch_row | i4 | njmax | scratch | | dual solvers: first constraint row of a batch, rows whose forces are found together
batch_kind | i4 | njmax | scratch | | law of its rows, as in grp_kind
batch_chunk | i4 | njmax | scratch | | first of its chunks
batch_own | i8 | njmax | scratch | | address in sol_B of A + R among its rows, padded to a multiple of 4; then follow its rows of B
chunk_x | i4 | nchunkmax | scratch | | four entries of each row of B of a batch: place in sol_half of the entries that they multiply
chunk_dof | i4 | nchunkmax | scratch | | dof of the first of them
seg_block | i4 | nsegmax | scratch | | block of dofs that a segment lies in
seg_dof | i4 | nsegmax | scratch | | first dof of the segment
seg_num | i4 | nsegmax | scratch | | number of consecutive dofs
seg_adr | i4 | nsegmax | scratch | | address in seg_J of its grp_dim rows of seg_num entries, each padded to a multiple of 4
seg_x | i4 | nsegmax | scratch | | place of its first dof in the order of elimination
seg_at | i4 | nsegmax | scratch | | place of its first dof in its block
seg_J | f8 | nJmax | scratch | | entries of the constraint Jacobian
efc_jar | f8 | njmax | scratch | | J qacc - aref
efc_Jv | f8 | njmax | scratch | | J times the search direction
efc_correction | f8 | njmax | scratch | | change of force beyond what the Hessian predicts
pair_key | i8 | npairmax | scratch | | the two blocks of a pair, as one number
pair_known | i8 | npairmax | scratch | | the pairs that the present elimination order was made for
pair_adr | i8 | npairmax | scratch | | where the pair's block begins in the Hessian
sub_node | i4 | nsubmax | scratch | | later nodes that each node's rows have entries with
sub_col | i4 | nsubmax | scratch | | their first columns in the node's panel
tree_root | i4 | ntree | scratch | | union-find over kinematic trees
tree_island | i4 | ntree | output | | island of each tree, -1 if unconstrained
tree_known | i4 | ntree | scratch | | the islands that the present elimination order was made for
tree_x | i4 | ntree | scratch | | place in sol_half of the tree's first dof
isl_blockadr | i4 | ntree | scratch | | first of the island's blocks in isl_block
isl_blocknum | i4 | ntree | scratch | | number of the island's blocks
isl_grpadr | i4 | ntree | scratch | | first of the island's groups in isl_grp
isl_grpnum | i4 | ntree | scratch | | number of the island's groups
isl_nodeadr | i4 | ntree | scratch | | first of the island's nodes
isl_nodenum | i4 | ntree | scratch | | number of the island's nodes
isl_dofnum | i4 | ntree | scratch | | number of the island's dofs
isl_xadr | i4 | ntree | scratch | | place of the island's first dof in the order of elimination
isl_xnum | i4 | ntree | scratch | | number of the island's padded dofs
isl_Hadr | i8 | ntree | scratch | | first entry of the island's Hessian
isl_Hnum | i8 | ntree | scratch | | number of entries of the island's Hessian
isl_changenum | i4 | ntree | scratch | | number of the island's groups in grp_changed, there from isl_grpadr on
isl_sum | f8 | ntree 8 | scratch | | what an island adds to sums over islands (engine/dynamics/solver/primal.py)
isl_part | f8 | ntree 4 | scratch | | of the first island of a part of the model that is solved as one: what all need to know
isl_block | i4 | nv | scratch | | blocks by island
isl_grp | i4 | njmax | scratch | | groups by island
block_node | i4 | nv | scratch | | node of each block
block_off | i4 | nv | scratch | | place of each block's dofs within its node
block_x | i4 | nv | scratch | | place of each block's dofs in vectors by island
block_pair | i4 | nv | scratch | | first pair of each block with the blocks above it in its tree
node_dim | i4 | nv | scratch | | number of dofs of each node
node_x | i4 | nv | scratch | | place of each node's dofs in the order of elimination, padded to a multiple of 4
node_H | i8 | nv | scratch | | address of each node's panel: its rows of the upper triangle
node_cols | i4 | nv | scratch | | number of columns of the panel: the node's own, then those of sub_node, each padded
node_sub | i4 | nv | scratch | | first entry of the node in sub_node
node_nsub | i4 | nv | scratch | | number of its entries
sym_adj | i4 | nadjmax | scratch | | elimination order: neighbours of each block, then nodes eliminated next to it
sym_adjadr | i4 | nv | scratch | | likewise: first entry of a block in sym_adj
sym_adjnum | i4 | nv | scratch | | likewise: number of its neighbours there
sym_adjnode | i4 | nv | scratch | | likewise: number of nodes there, after the neighbours
sym_local | i4 | nv | scratch | | likewise: place of a block in its island
sym_size | i4 | nv | scratch | | likewise: number of dofs of a block, padded
sym_degree | i4 | nv | scratch | | likewise: number of dofs of its neighbours
sym_order | i4 | nv | scratch | | likewise: when it is eliminated, -1 not yet
sym_absorbed | u1 | nv | scratch | | likewise: whether a node is part of a later one
sym_mark | i4 | nv | scratch | | likewise: the last visit to a block
sym_heap | i4 | nv | scratch | | likewise: blocks not yet eliminated, a binary heap by degree
sym_place | i4 | nv | scratch | | likewise: place of a block in that heap
sol_qacc | f8 | nxmax | scratch | | accelerations by island, in the order of elimination, padded
sol_grad | f8 | nxmax | scratch | | gradient of the solver's cost, likewise
sol_search | f8 | nxmax | scratch | | search direction, likewise
sol_inv | f8 | nxmax | scratch | | inverse diagonal of the factor, likewise
sol_Mgrad | f8 | nxmax | scratch | | conjugate gradients: inverse(M) times the gradient, over dofs
sol_Ma | f8 | nv | scratch | | M times the difference of qacc from qacc_smooth
side_body | i4 | 16 | scratch thread | | bodies that move the sides of a contact
side_weight | f8 | 16 | scratch thread | | their shares, negative on the first side
side_dof | i4 | 16 | scratch thread | | the last dof of each
sol_step | f8 | nv | scratch | | a vector over dofs
sol_Mstep | f8 | nv | scratch | | M times it, or the gradient over dofs
sol_H | f8 | nHmax | scratch | | Hessians of the islands
sol_L | f8 | nHmax | scratch | | their Cholesky factors
sol_B | f8 | nBmax | scratch | | dual solvers: by batch, A + R among its rows, and rows of B, where A = B B'
sol_half | f8 | nxmax | scratch | | B' times the forces: by tree, each padded to a multiple of 4
sol_F | f8 | 6 | scratch thread | | force of a group along its rows in seg_J
sol_W | f8 | 36 | scratch thread | | change of a group's weights along its rows in seg_J
sol_WJ | f8 | 256 | scratch thread | | weights times the rows of a segment
qacc_step | f8 | nv | scratch | | acceleration that the integrator used
rk4_qpos | f8 | nq | scratch | | RK4: positions at the start of the step
rk4_qvel | f8 | nv | scratch | | RK4: velocities at the start of the step
rk4_act | f8 | na | scratch | | RK4: activations at the start of the step
rk4_dqpos | f8 | nv | scratch | | RK4: weighted sum of the velocities of the evaluations
rk4_dqvel | f8 | nv | scratch | | RK4: weighted sum of their accelerations
rk4_dact | f8 | na | scratch | | RK4: weighted sum of their rates of the activations
rne_cacc | f8 | nbody 6 | scratch | | rne: accelerations without joint accelerations
rne_cfrc | f8 | nbody 6 | scratch | | rne: forces between bodies
collision_function | i8 | 83 | address | | address of the collision function of each pair of geom types, then of the convex collider and of candidates with a flex
distance_function | i8 | 81 | address | | address of the function for the distance of each pair of geom types
fluid_deriv | f8 | 6 6 | scratch | | derivative of the fluid force on a body or geom by its velocity, local: angular, linear
fluid_jac | f8 | nv 6 | scratch | | local velocity of that body or geom for each dof above it: angular, linear
flexvert_force | f8 | nflexvert 3 | scratch | N | elastic forces on the vertices of flexes
flexcell | f8 | 4 24 | scratch | | an interpolated flex: positions, displacements, velocities and forces of its eight nodes
flex_bounds | f8 | nflex 6 | scratch | m | boxes around the flexes with radius and margin: low corner, high corner
flextree_aabb | f8 | nflextree 6 | scratch | m | boxes of the nodes of the trees: centre, half sizes
flexrun_aabb | f8 | nflexelem 6 | scratch | m | boxes around runs of elements (RUN), from a flex's first element on: low and high ends
flex_key | f4 | nflexelem 2 | scratch | | sweep of a flex against itself: low and high end of each element along the axis
flex_sweep | i4 | nflexelem 2 | scratch | | the ends in order: twice the element, plus 1 for the high end
flex_open | i4 | nflexelem | scratch | | the ends of each element that have been listed; elements near a box
flex_list | i4 | nflexelem 5 | scratch | | lists of elements that have begun in that sweep: engine/collision/flex_self.py
geom_bounds | f8 | ngeom 6 | scratch | | world boxes of the geoms with their margins: low corner, high corner
body_bounds | f8 | nbody 6 | scratch | | the same of moving bodies
sweep_body | i4 | nbody | scratch | | moving bodies in the order of the last sweep
sweep_geom | i4 | ngeom | scratch | | fixed geoms in the order of the last sweep
sweep_body_box | f8 | nbody 6 | scratch | | bounds in that order: low and high along the axis of the sweep, then the others
sweep_geom_box | f8 | ngeom 6 | scratch | | the same of the fixed geoms
sweep_single | i4 | nbody | scratch | | bodies in that order: the geom of a body that has one geom and no moving parent, -1 for others
near_bodies | i8 | nnearmax | scratch | | candidates of the broad phase: lower body, higher body in the upper and lower 32 bits
near_geoms | i8 | nnearmax | scratch | | the two geoms likewise, or a pair of the model minus npair
near_spare | i8 | nnearmax 2 | scratch | | the same two, while they are sorted
near_number | i4 | nbody 2 | scratch | | where the next candidate of each lower and each higher body goes
near_dist | f8 | 50 | scratch | | contacts of one pair of geoms: distance
near_pos | f8 | 50 3 | scratch | | position
near_frame | f8 | 50 6 | scratch | | normal, then a direction for the first tangent (zero: any)
sdf_point | f8 | nsdfmax 3 | scratch snapshot | m | where descents in signed-distance collisions were
sdf_step | i4 | nsdfmax | scratch snapshot | | which point of its descent each of them is; 0 is where one starts
sdf_geom | i4 | nsdfmax 2 | scratch snapshot | | the two geoms
bvh_stack | i4 | 256 | scratch | | nodes of trees of boxes that are still to be visited
ccd_type | i4 | 2 | scratch | | convex collision: what each of two objects is, GEOM_ (a prism: GEOM_HFIELD)
ccd_mesh | i4 | 2 3 | scratch | | a mesh's first vertex, its number, and the start of the hull's graph, -1 if none
ccd_vertex | i4 | 2 | scratch | | the vertex that was the last answer of a search, -1 at the start
ccd_guess | i4 | nmeshgraph | scratch | | by cell of directions of a hull, from where its graph begins: its farthest vertex, as last found
ccd_pos | f8 | 2 3 | scratch | m | position of each object
ccd_mat | f8 | 2 9 | scratch | | orientation of each object
ccd_size | f8 | 2 3 | scratch | | size of each object, as geom_size
ccd_half | f8 | 2 | scratch | m | how far each object is inflated: half of the margin
ccd_corner | f8 | 12 3 | scratch | m | vertices of a prism: rows 0 to 5 for object 0, 6 to 11 for object 1
ccd_witness | f8 | 2 3 | scratch | m | nearest points, or the ends of the penetration, on each object
ccd_weight | f8 | 4 | scratch | | weights of the simplex's vertices
ccd_point | f8 | nccdmax 9 | scratch | | vertices of simplex and polytope: point of the difference of the objects, point of each
ccd_index | i4 | nccdmax 2 | scratch | | the vertices of the two objects that these points are
ccd_face | i4 | nccdmax 3 | scratch | | vertices of each face of the polytope
ccd_adjacent | i4 | nccdmax 3 | scratch | | the face at each edge of a face
ccd_plane | f8 | nccdmax 4 | scratch | | the point of a face's plane that is nearest to the origin, its squared distance
ccd_place | i4 | nccdmax | scratch | | place of a face in ccd_candidate, -1 not there, -2 deleted
ccd_candidate | i4 | nccdmax | scratch | | faces that may be the nearest
ccd_free | i4 | nccdmax | scratch | | rows of deleted faces
ccd_horizon | i4 | nccdmax 2 | scratch | | edges of the horizon: face that stays, its edge
ccd_stack | i4 | nccdmax 2 | scratch | | edges still to visit in the search for the horizon: face, edge
ccd_answer | i4 | 3 | scratch | | vertices of the face that the polytope algorithm ended with
ccd_polygon | f8 | nccdmax 3 | scratch | | contacts of flat faces: the polygon that clips
ccd_clipped | f8 | nccdmax 6 | scratch | | the polygon that is clipped, before and after a side
dist_fromto | f8 | 6 | scratch | | distance of two geoms: the nearest points
tendon_efcadr | i4 | ntendon | output | | first constraint row that involves the tendon, -1 if none
dof_island | i4 | nv | output | | island of each dof, -1 if unconstrained
start_table | i8 | 32 3 | address | | what an automatic reset copies: slot and bytes of an array, address of its start value
"""
