"""One table of every array and number of Model and Data: name, type, shape, role, help.

Names and shapes are MuJoCo's (mjModel, mjData). Everything that holds or shows model and data loops over this
table: allocation, the layout inside compiled code (`kernel.py`), resets, history, snapshots, comparison.

A row of Model is `name | dtype | shape | help`, a row of Data `name | dtype | shape | role | help`. The first word of
the shape is a size of the model or a capacity of the data, the others are numbers or sizes.

The kind of a row:
  size   an integer fixed with the model (or, for a capacity, until Data grows)
  cell   one number that may change at any time
  array

The role of a row of Data:
  state    a step starts from it and advances it: in the history; a reset sets it to its start value
  input    set from outside, a step starts from it: likewise
  output   what a step computes, as MuJoCo shows it
  scratch  work space of the step: its content means nothing afterwards, but what is drawn of it
  address  addresses of compiled code and of memory outside: kept by a reset, never copied
`snapshot` after the role: snapshots copy it for the window. `thread` after it: where several threads share a step
(engine/jit/parallel.py), each has its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SIZES = """
nq nv nu na nbody njnt ngeom nsite ncam nlight nflex nflexnode nflexvert nflexedge nflexelem
nflexelemdata nflexelemedge nflexshelldata nflexevpair nflextexcoord nmesh nmeshvert nmeshnormal
nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert
nskinface nskinbone nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon
nwrap nsensor nnumeric nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nuser_body
nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nM nC nJmom ntree
ngravcomp nplugin npluginattr npluginstate noct noctcoeff nprobe nemax njmax nconmax nuserdata nsensordata nmpos nmquat nJten
nmeshbox nJfe nflextree ncable
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
mpex_dialect | i8 | | 1 when the defaults of the Motphys dialect hold
mpex_ssao_active | i8 | | ambient occlusion on the screen
mpex_ssgi_active | i8 | | indirect light on the screen
mpex_ssgi_resolutionscale | i8 | | it divides the resolution of that effect: 1, 2 or 4
mpex_ssgi_raycount | i8 | | rays of indirect light per pixel
mpex_ssgi_stepcount | i8 | | samples along each ray
mpex_ssgi_thickness | f8 | | assumed thickness of surfaces, m
mpex_ssgi_intensity | f8 | | brightness of the indirect light
mpex_ssgi_gidenoiseoffset | i8 | | pixel distance of its denoising filter, 0 none
mpex_ssgi_rraycount | i8 | | samples along each reflected ray
mpex_ssgi_rdenoiseoffset | i8 | | pixel distance of the denoising filter of reflections, 0 none
mpex_tonemapping_method | i8 | | TONEMAPPING_, -1 where nothing says
mpex_map_envmapintensity | f8 | | brightness of the environment, -1 where nothing says
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
dof_blockid | i4 | nv | block of each dof: a tree, or a branch of a large one
block_dofadr | i4 | nv | first dof of each block of consecutive dofs
block_dofnum | i4 | nv | number of dofs of each block, 0 past the last
block_parentid | i4 | nv | block that holds the dof above the block's first dof, -1 at a root
M_rownnz | i4 | nv | number of entries in each row of M
M_rowadr | i4 | nv | address of each row of M
M_colind | i4 | nC | column of each entry of M
ten_J_rownnz | i4 | ntendon | number of entries in each row of ten_J
ten_J_rowadr | i4 | ntendon | address of each row of ten_J
ten_J_colind | i4 | nJten | dof of each entry of ten_J
qpos0 | f8 | nq | positions at the model's rest pose
qpos_spring | f8 | nq | positions at which joint springs are at rest
body_parentid | i4 | nbody | parent body
body_rootid | i4 | nbody | the ancestor that is a child of the world
body_weldid | i4 | nbody | the body that this one is fixed to, without joints between
body_mocapid | i4 | nbody | mocap index, -1 if not a mocap body
body_jntnum | i4 | nbody | number of joints
body_jntadr | i4 | nbody | first joint, -1 if none
body_dofnum | i4 | nbody | number of dofs
body_dofadr | i4 | nbody | first dof, -1 if none
body_treeid | i4 | nbody | kinematic tree, -1 if static
body_geomnum | i4 | nbody | number of geoms
body_geomadr | i4 | nbody | first geom, -1 if none
body_simple | u1 | nbody | 1 diagonal inertia, 2 also sliders only
body_sameframe | u1 | nbody | SAMEFRAME_ of the inertial frame
body_pos | f8 | nbody 3 | position in the parent, m
body_quat | f8 | nbody 4 | orientation in the parent
body_ipos | f8 | nbody 3 | centre of mass in the body, m
body_iquat | f8 | nbody 4 | orientation of the principal axes of inertia
body_mass | f8 | nbody | mass, kg
body_subtreemass | f8 | nbody | mass of the body and all below it, kg
body_inertia | f8 | nbody 3 | principal moments of inertia, kg m^2
body_invweight0 | f8 | nbody 2 | mean inverse inertia at qpos0: translation 1/kg, rotation 1/(kg m^2)
body_gravcomp | f8 | nbody | share of the weight that is compensated
body_margin | f8 | nbody | largest margin of its geoms, m
body_user | f8 | nbody nuser_body | numbers of the user
body_plugin | i4 | nbody | plugin instance, -1 if none
body_contype | i4 | nbody | union of its geoms' contype
body_conaffinity | i4 | nbody | union of its geoms' conaffinity
jnt_type | i4 | njnt | JNT_
jnt_qposadr | i4 | njnt | first position in qpos
jnt_dofadr | i4 | njnt | first dof
jnt_bodyid | i4 | njnt | its body
jnt_group | i4 | njnt | group for drawing
jnt_limited | u1 | njnt | whether range holds
jnt_actfrclimited | u1 | njnt | whether actfrcrange holds
jnt_actgravcomp | u1 | njnt | gravity compensation counts as actuator force
jnt_solref | f8 | njnt 2 | solver reference of the limit
jnt_solimp | f8 | njnt 5 | solver impedance of the limit
jnt_pos | f8 | njnt 3 | anchor in the body, m
jnt_axis | f8 | njnt 3 | axis in the body
jnt_stiffness | f8 | njnt | spring stiffness, N/m or N m/rad
jnt_range | f8 | njnt 2 | limits, m or rad
jnt_actfrcrange | f8 | njnt 2 | limits of the total actuator force, N or N m
jnt_margin | f8 | njnt | distance from the limit at which it begins to act
jnt_user | f8 | njnt nuser_jnt | numbers of the user
dof_bodyid | i4 | nv | its body
dof_jntid | i4 | nv | its joint
dof_parentid | i4 | nv | the dof before it in the chain, -1 if none
dof_treeid | i4 | nv | kinematic tree
dof_Madr | i4 | nv | address of its diagonal in mujoco's legacy layout of M
dof_simplenum | i4 | nv | number of simple dofs in a row from here on
dof_solref | f8 | nv 2 | solver reference of friction loss
dof_solimp | f8 | nv 5 | solver impedance of friction loss
dof_frictionloss | f8 | nv | dry friction, N or N m
dof_armature | f8 | nv | added inertia of rotors, kg or kg m^2
dof_damping | f8 | nv | damping, N s/m or N m s/rad
dof_invweight0 | f8 | nv | diagonal of the inverse inertia at qpos0
dof_M0 | f8 | nv | diagonal of the inertia at qpos0
geom_type | i4 | ngeom | GEOM_
geom_contype | i4 | ngeom | bits that it collides as
geom_conaffinity | i4 | ngeom | bits that it collides with
geom_condim | i4 | ngeom | dimension of its contacts: 1, 3, 4, 6
geom_bodyid | i4 | ngeom | its body
geom_dataid | i4 | ngeom | its mesh or height field, -1 if none
geom_matid | i4 | ngeom | its material, -1 if none
geom_group | i4 | ngeom | group for drawing
geom_priority | i4 | ngeom | contact priority
geom_plugin | i4 | ngeom | plugin instance, -1 if none
geom_sameframe | u1 | ngeom | SAMEFRAME_ of the geom's frame
geom_solmix | f8 | ngeom | weight in the mix of solver parameters
geom_solref | f8 | ngeom 2 | solver reference
geom_solimp | f8 | ngeom 5 | solver impedance
geom_size | f8 | ngeom 3 | sizes by type, m
geom_aabb | f8 | ngeom 6 | bounding box in the geom's frame: centre, half sizes, m
geom_rbound | f8 | ngeom | radius of the bounding sphere, 0 for planes, m
geom_pos | f8 | ngeom 3 | position in the body, m
geom_quat | f8 | ngeom 4 | orientation in the body
geom_friction | f8 | ngeom 3 | slide, spin, roll
geom_margin | f8 | ngeom | distance at which contact is detected, m
geom_gap | f8 | ngeom | part of the margin in which contacts are inactive, m
geom_fluid | f8 | ngeom 12 | coefficients of the forces of the medium
geom_user | f8 | ngeom nuser_geom | numbers of the user
geom_rgba | f4 | ngeom 4 | colour without a material
site_type | i4 | nsite | GEOM_ of its volume
site_bodyid | i4 | nsite | its body
site_matid | i4 | nsite | its material, -1 if none
site_group | i4 | nsite | group for drawing
site_sameframe | u1 | nsite | SAMEFRAME_ of the site's frame
site_size | f8 | nsite 3 | sizes by type, m
site_pos | f8 | nsite 3 | position in the body, m
site_quat | f8 | nsite 4 | orientation in the body
site_user | f8 | nsite nuser_site | numbers of the user
site_rgba | f4 | nsite 4 | colour without a material
cam_mode | i4 | ncam | CAMLIGHT_
cam_bodyid | i4 | ncam | its body
cam_targetbodyid | i4 | ncam | the body looked at, -1 if none
cam_pos | f8 | ncam 3 | position in the body, m
cam_quat | f8 | ncam 4 | orientation in the body
cam_poscom0 | f8 | ncam 3 | position from the subtree's centre of mass at qpos0, m
cam_pos0 | f8 | ncam 3 | position from the body at qpos0, m
cam_mat0 | f8 | ncam 9 | global orientation at qpos0
cam_orthographic | i4 | ncam | parallel projection
cam_fovy | f8 | ncam | vertical field of view, degrees (or m when orthographic)
cam_ipd | f8 | ncam | distance between the eyes, m
cam_resolution | i4 | ncam 2 | pixels, width and height
cam_sensorsize | f4 | ncam 2 | size of the sensor, m
cam_intrinsic | f4 | ncam 4 | focal length and principal point, m
cam_user | f8 | ncam nuser_cam | numbers of the user
light_mode | i4 | nlight | CAMLIGHT_
light_bodyid | i4 | nlight | its body
light_targetbodyid | i4 | nlight | the body lit, -1 if none
light_type | i4 | nlight | LIGHT_
light_texid | i4 | nlight | texture of an image light, -1 if none
light_castshadow | u1 | nlight | casts shadows
light_bulbradius | f4 | nlight | radius of the source, m
light_intensity | f4 | nlight | candela, 0 for the legacy model
light_range | f4 | nlight | reach, m
light_active | u1 | nlight | is on
light_pos | f8 | nlight 3 | position in the body, m
light_dir | f8 | nlight 3 | direction in the body
light_poscom0 | f8 | nlight 3 | position from the subtree's centre of mass at qpos0, m
light_pos0 | f8 | nlight 3 | position from the body at qpos0, m
light_dir0 | f8 | nlight 3 | global direction at qpos0
light_attenuation | f4 | nlight 3 | constant, linear, quadratic
light_cutoff | f4 | nlight | half angle of a spot, degrees
light_exponent | f4 | nlight | falloff of a spot
light_ambient | f4 | nlight 3 | ambient colour
light_diffuse | f4 | nlight 3 | diffuse colour
light_specular | f4 | nlight 3 | specular colour
flex_contype | i4 | nflex | bits that it collides as
flex_conaffinity | i4 | nflex | bits that it collides with
flex_condim | i4 | nflex | dimension of its contacts: 1, 3, 4, 6
flex_priority | i4 | nflex | contact priority
flex_solmix | f8 | nflex | weight in the mix of solver parameters
flex_solref | f8 | nflex 2 | solver reference
flex_solimp | f8 | nflex 5 | solver impedance
flex_friction | f8 | nflex 3 | slide, spin, roll
flex_margin | f8 | nflex | distance at which contact is detected, m
flex_gap | f8 | nflex | part of the margin in which contacts are inactive, m
flex_internal | u1 | nflex | contacts that keep elements from turning inside out
flex_selfcollide | i4 | nflex | how its elements are checked against each other: none, narrow, bvh, sap, auto
flex_activelayers | i4 | nflex | outer layers of a solid that collide
flex_dim | i4 | nflex | 1 lines, 2 triangles, 3 tetrahedra
flex_matid | i4 | nflex | its material, -1 if none
flex_group | i4 | nflex | group for drawing
flex_interp | i4 | nflex | 0 vertices on bodies, 1 interpolated between nodes on bodies
flex_nodeadr | i4 | nflex | first node
flex_nodenum | i4 | nflex | number of nodes
flex_vertadr | i4 | nflex | first vertex
flex_vertnum | i4 | nflex | number of vertices
flex_edgeadr | i4 | nflex | first edge
flex_edgenum | i4 | nflex | number of edges
flex_elemadr | i4 | nflex | first element
flex_elemnum | i4 | nflex | number of elements
flex_elemdataadr | i4 | nflex | first number in flex_elem
flex_elemedgeadr | i4 | nflex | first number in flex_elemedge
flex_shellnum | i4 | nflex | number of sides on the outside
flex_shelldataadr | i4 | nflex | first number in flex_shell
flex_evpairadr | i4 | nflex | first pair of an element and a vertex
flex_evpairnum | i4 | nflex | number of them
flex_texcoordadr | i4 | nflex | first texture coordinate, -1 if none
flex_nodebodyid | i4 | nflexnode | body of each node
flex_vertbodyid | i4 | nflexvert | body of each vertex, -1 where it is interpolated
flex_edge | i4 | nflexedge 2 | vertices of each edge, the lower first
flex_edgeflap | i4 | nflexedge 2 | the other vertices of the triangles at each edge, -1 if none
flex_elem | i4 | nflexelemdata | vertices of the elements, dim + 1 each
flex_elemtexcoord | i4 | nflexelemdata | texture coordinates of the elements' corners
flex_elemedge | i4 | nflexelemedge | edges of the elements
flex_elemlayer | i4 | nflexelem | layers of elements between it and the outside
flex_shell | i4 | nflexshelldata | vertices of the sides on the outside, dim each
flex_evpair | i4 | nflexevpair 2 | an element and a vertex of its neighbour, for internal contacts
flex_vert | f8 | nflexvert 3 | position in the vertex's body, m
flex_vert0 | f8 | nflexvert 3 | position at qpos0 in the flex's box, 0 to 1; not a number where the box is flat
flex_node | f8 | nflexnode 3 | position in the node's body, m
flex_node0 | f8 | nflexnode 3 | position at qpos0, m
flexedge_length0 | f8 | nflexedge | length at qpos0, m
flexedge_invweight0 | f8 | nflexedge | inverse inertia along the edge at qpos0
flexedge_J_rownnz | i4 | nflexedge | number of entries in each row of flexedge_J
flexedge_J_rowadr | i4 | nflexedge | address of each row of flexedge_J
flexedge_J_colind | i4 | nJfe | dof of each entry of flexedge_J
flex_treeadr | i4 | nflex | first node of the tree of boxes around its elements, -1 if none
flex_treenum | i4 | nflex | number of nodes of that tree
flextree_child | i4 | nflextree 2 | the two nodes below a node, counted from the tree's first, -1 at a leaf
flextree_elem | i4 | nflextree | the element of a leaf, -1 elsewhere
flexedge_rigid | u1 | nflexedge | both ends are fixed to the same body
flex_radius | f8 | nflex | radius around all elements, m
flex_stiffness | f8 | nflexelem 21 | elastic energy as a form in squared edge lengths, upper triangle
flex_bending | f8 | nflexedge 16 | bending energy as a form in the four vertices around an edge
flex_damping | f8 | nflex | Rayleigh's damping coefficient, s
flex_edgestiffness | f8 | nflex | stiffness of the edges
flex_edgedamping | f8 | nflex | damping of the edges
flex_edgeequality | u1 | nflex | a constraint keeps the edges' lengths
flex_rigid | u1 | nflex | all vertices are fixed to the same body
flex_centered | u1 | nflex | all vertices are at their bodies' origins
flex_flatskin | u1 | nflex | shaded flat
flex_rgba | f4 | nflex 4 | colour without a material
flex_texcoord | f4 | nflextexcoord 2 | texture coordinates
mesh_vertadr | i4 | nmesh | first vertex
mesh_vertnum | i4 | nmesh | number of vertices
mesh_normaladr | i4 | nmesh | first normal
mesh_normalnum | i4 | nmesh | number of normals
mesh_texcoordadr | i4 | nmesh | first texture coordinate, -1 if none
mesh_texcoordnum | i4 | nmesh | number of texture coordinates
mesh_faceadr | i4 | nmesh | first face
mesh_facenum | i4 | nmesh | number of faces
mesh_graphadr | i4 | nmesh | start of the hull's graph, -1 if none
mesh_scale | f8 | nmesh 3 | scale that was applied
mesh_pos | f8 | nmesh 3 | where the file's origin went: the shift that centred the mesh, m
mesh_quat | f8 | nmesh 4 | the turn that aligned the mesh with its principal axes
mesh_vert | f4 | nmeshvert 3 | vertices, m
mesh_normal | f4 | nmeshnormal 3 | normals
mesh_texcoord | f4 | nmeshtexcoord 2 | texture coordinates
mesh_face | i4 | nmeshface 3 | vertices of each triangle
mesh_facenormal | i4 | nmeshface 3 | normals of each triangle
mesh_facetexcoord | i4 | nmeshface 3 | texture coordinates of each triangle
mesh_graph | i4 | nmeshgraph | vertices and edges of the convex hulls
mesh_polynum | i4 | nmesh | number of flat faces of the hull
mesh_polyadr | i4 | nmesh | first of them
mesh_polynormal | f8 | nmeshpoly 3 | their normals
mesh_polyvertadr | i4 | nmeshpoly | first vertex of each flat face
mesh_polyvertnum | i4 | nmeshpoly | number of vertices of each flat face
mesh_polyvert | i4 | nmeshpolyvert | vertices of the flat faces
mesh_polymapadr | i4 | nmeshvert | first flat face at each vertex
mesh_polymapnum | i4 | nmeshvert | number of flat faces at each vertex
mesh_polymap | i4 | nmeshpolymap | flat faces at the vertices
mesh_octadr | i4 | nmesh | root of the octree of its signed distance, -1 if none
mesh_octnum | i4 | nmesh | number of nodes of that octree
oct_depth | i4 | noct | nodes above it in its octree
oct_child | i4 | noct 8 | its eighths, x + 2 y + 4 z: nodes numbered in the octree, or -1 - row of oct_coeff
oct_aabb | f8 | noct 6 | centre and half sides of its cube in the mesh's file, m
oct_coeff | f4 | noctcoeff 64 | coefficients of x^i y^j z^k at i + 4 j + 16 k: the distance in a cube, 0 to 1 along each side
mesh_boxadr | i4 | nmesh | first of the boxes around its triangles: a complete binary tree, children of k at 2k+1, 2k+2
mesh_boxdepth | i4 | nmesh | depth of that tree; it has 2^depth leaves
mesh_box | f4 | nmeshbox 6 | the boxes in the mesh's frame: low corner, high corner
mesh_boxface | i4 | nmeshface | triangles of the mesh in the order of the leaves
skin_matid | i4 | nskin | material, -1 if none
skin_group | i4 | nskin | group for drawing
skin_rgba | f4 | nskin 4 | colour without a material
skin_inflate | f4 | nskin | distance by which vertices are moved out along their normals, m
skin_vertadr | i4 | nskin | first vertex
skin_vertnum | i4 | nskin | number of vertices
skin_texcoordadr | i4 | nskin | first texture coordinate, -1 if none
skin_faceadr | i4 | nskin | first face
skin_facenum | i4 | nskin | number of faces
skin_boneadr | i4 | nskin | first bone
skin_bonenum | i4 | nskin | number of bones
skin_vert | f4 | nskinvert 3 | vertices in the bind pose, global, m
skin_texcoord | f4 | nskintexvert 2 | texture coordinates
skin_face | i4 | nskinface 3 | vertices of each triangle
skin_bonevertadr | i4 | nskinbone | first vertex that the bone moves
skin_bonevertnum | i4 | nskinbone | number of vertices that the bone moves
skin_bonebindpos | f4 | nskinbone 3 | position of the body in the bind pose, global, m
skin_bonebindquat | f4 | nskinbone 4 | orientation of the body in the bind pose
skin_bonebodyid | i4 | nskinbone | the body that is the bone
skin_bonevertid | i4 | nskinbonevert | vertices that the bones move, numbered in their skin
skin_bonevertweight | f4 | nskinbonevert | weights of the bones at those vertices
hfield_size | f8 | nhfield 4 | half sizes x, y, height, depth of the base, m
hfield_nrow | i4 | nhfield | rows of the grid
hfield_ncol | i4 | nhfield | columns of the grid
hfield_adr | i4 | nhfield | first height
hfield_data | f4 | nhfielddata | heights, 0 to 1
tex_type | i4 | ntex | TEXTURE_
tex_colorspace | i4 | ntex | COLORSPACE_
tex_height | i4 | ntex | rows of pixels
tex_width | i4 | ntex | columns of pixels
tex_nchannel | i4 | ntex | bytes a pixel
tex_adr | i4 | ntex | first byte
tex_data | u1 | ntexdata | pixels
mat_texid | i4 | nmat 10 | texture for each TEXROLE_, -1 if none
mat_texuniform | u1 | nmat | texture repeats by length, not by object
mat_texrepeat | f4 | nmat 2 | repeats along x and y
mat_emission | f4 | nmat | light of its own, times rgba
mat_specular | f4 | nmat | specular reflection
mat_shininess | f4 | nmat | sharpness of highlights
mat_reflectance | f4 | nmat | mirror reflection
mat_metallic | f4 | nmat | metallic, -1 unset
mat_roughness | f4 | nmat | roughness, -1 unset
mat_rgba | f4 | nmat 4 | colour
pair_dim | i4 | npair | dimension of the contacts
pair_geom1 | i4 | npair | first geom
pair_geom2 | i4 | npair | second geom
pair_signature | i4 | npair | the two bodies: (body1 << 16) + body2
pair_solref | f8 | npair 2 | solver reference, normal direction
pair_solreffriction | f8 | npair 2 | solver reference, friction directions
pair_solimp | f8 | npair 5 | solver impedance
pair_margin | f8 | npair | distance at which contact is detected, m
pair_gap | f8 | npair | part of the margin in which contacts are inactive, m
pair_friction | f8 | npair 5 | tangent 1 and 2, spin, roll 1 and 2
exclude_signature | i4 | nexclude | the two bodies: (body1 << 16) + body2
eq_type | i4 | neq | EQ_
eq_obj1id | i4 | neq | first object
eq_obj2id | i4 | neq | second object, -1 if none
eq_objtype | i4 | neq | OBJ_ of both
eq_active0 | u1 | neq | on at the start
eq_solref | f8 | neq 2 | solver reference
eq_solimp | f8 | neq 5 | solver impedance
eq_data | f8 | neq 11 | numbers by type: anchors, relative pose, polynomial
tendon_adr | i4 | ntendon | first element of its path
tendon_num | i4 | ntendon | number of elements of its path
tendon_matid | i4 | ntendon | its material, -1 if none
tendon_group | i4 | ntendon | group for drawing
tendon_limited | u1 | ntendon | whether range holds
tendon_actfrclimited | u1 | ntendon | whether actfrcrange holds
tendon_width | f8 | ntendon | width for drawing, m
tendon_solref_lim | f8 | ntendon 2 | solver reference of the limit
tendon_solimp_lim | f8 | ntendon 5 | solver impedance of the limit
tendon_solref_fri | f8 | ntendon 2 | solver reference of friction loss
tendon_solimp_fri | f8 | ntendon 5 | solver impedance of friction loss
tendon_range | f8 | ntendon 2 | limits of the length
tendon_actfrcrange | f8 | ntendon 2 | limits of the total actuator force
tendon_margin | f8 | ntendon | distance from the limit at which it begins to act
tendon_stiffness | f8 | ntendon | spring stiffness
tendon_damping | f8 | ntendon | damping
tendon_armature | f8 | ntendon | inertia along the tendon
tendon_frictionloss | f8 | ntendon | dry friction
tendon_lengthspring | f8 | ntendon 2 | lengths between which its spring is slack
tendon_length0 | f8 | ntendon | length at qpos0
tendon_invweight0 | f8 | ntendon | inverse inertia along the tendon at qpos0
tendon_user | f8 | ntendon nuser_tendon | numbers of the user
tendon_rgba | f4 | ntendon 4 | colour without a material
wrap_type | i4 | nwrap | WRAP_
wrap_objid | i4 | nwrap | joint, site or geom
wrap_prm | f8 | nwrap | coefficient, divisor or side site
actuator_trntype | i4 | nu | TRN_
actuator_dyntype | i4 | nu | DYN_
actuator_gaintype | i4 | nu | GAIN_
actuator_biastype | i4 | nu | BIAS_
actuator_trnid | i4 | nu 2 | what it acts on
actuator_momentadr | i4 | nu | first entry of its row in data.actuator_moment
actuator_actadr | i4 | nu | first activation, -1 if none
actuator_actnum | i4 | nu | number of activations
actuator_group | i4 | nu | group for switching and drawing
actuator_ctrllimited | u1 | nu | whether ctrlrange holds
actuator_forcelimited | u1 | nu | whether forcerange holds
actuator_actlimited | u1 | nu | whether actrange holds
actuator_dynprm | f8 | nu 10 | parameters of its dynamics
actuator_gainprm | f8 | nu 10 | parameters of its gain
actuator_biasprm | f8 | nu 10 | parameters of its bias
actuator_actearly | u1 | nu | the force follows the next activation
actuator_ctrlrange | f8 | nu 2 | limits of the control
actuator_forcerange | f8 | nu 2 | limits of the force
actuator_actrange | f8 | nu 2 | limits of the activation
actuator_gear | f8 | nu 6 | scale of length and force, by direction
actuator_cranklength | f8 | nu | length of the crank, m
actuator_acc0 | f8 | nu | acceleration that a unit force makes at qpos0
actuator_length0 | f8 | nu | length at qpos0
actuator_lengthrange | f8 | nu 2 | shortest and longest length
actuator_user | f8 | nu nuser_actuator | numbers of the user
actuator_plugin | i4 | nu | plugin instance, -1 if none
sensor_type | i4 | nsensor | SENS_
sensor_datatype | i4 | nsensor | DATATYPE_
sensor_needstage | i4 | nsensor | STAGE_ after which it can be computed
sensor_objtype | i4 | nsensor | OBJ_ of what is sensed
sensor_objid | i4 | nsensor | what is sensed
sensor_reftype | i4 | nsensor | OBJ_ of the reference frame
sensor_refid | i4 | nsensor | the reference frame, -1 for the world
sensor_dim | i4 | nsensor | number of values
sensor_adr | i4 | nsensor | first value in sensordata
sensor_cutoff | f8 | nsensor | values are cut at this, 0 never
sensor_noise | f8 | nsensor | standard deviation of the noise, for the user
sensor_user | f8 | nsensor nuser_sensor | numbers of the user
sensor_plugin | i4 | nsensor | plugin instance, -1 if none
numeric_adr | i4 | nnumeric | first number
numeric_size | i4 | nnumeric | number of numbers
numeric_data | f8 | nnumericdata | the numbers
text_adr | i4 | ntext | first character
text_size | i4 | ntext | number of characters, with the closing zero
tuple_adr | i4 | ntuple | first element
tuple_size | i4 | ntuple | number of elements
tuple_objtype | i4 | ntupledata | OBJ_ of each element
tuple_objid | i4 | ntupledata | id of each element
tuple_objprm | f8 | ntupledata | number given with each element
mpex_jnt_hardlimit | u1 | njnt | the limit gives way to nothing
mpex_geom_hard | u1 | ngeom | its contacts give way to nothing
mpex_cam_trackposspeed | f8 | ncam | speed at which it follows its target position, 0 at once, m/s
mpex_cam_trackrotspeed | f8 | ncam | speed at which it follows its target orientation, 0 at once, rad/s
mpex_cam_depth | u1 | ncam | gives depth instead of colour
mpex_cam_znear | f8 | ncam | near clipping distance, 0: computed, m
mpex_cam_zfar | f8 | ncam | far clipping distance, 0: computed, m
mpex_light_innerangle | f8 | nlight | half angle of a spot's fully lit cone, -1 where nothing says, degrees
mpex_light_nearz | f8 | nlight | near plane of its shadow map, -1 where nothing says, m
mpex_mat_emission | f4 | nmat 4 | emitted colour where four numbers are given, else 0
mpex_mat_emissionintensity | f4 | nmat | factor on that colour
mpex_mat_detailpara | f4 | nmat 4 | detail normal map: repeats along u and v, strength, a spare number
mpex_mat_depthbias | i4 | nmat | draws the surface nearer or farther
mpex_mat_castshadow | u1 | nmat | geoms of this material cast shadows
mpex_sensor_num | i4 | nsensor | most contacts that a contact sensor reports
mpex_sensor_reduce | i4 | nsensor | which of them: 0 any, 1 the nearest, 2 the strongest, 3 their sum
mpex_sensor_data | i4 | nsensor 7 | what it reports: places in found force torque dist pos normal tangent, then -1
mpex_tex_environment | i4 | ntex | ENVIRONMENT_: what it is for as light of the surroundings
mpex_tex_dynamic | u1 | ntex | its image is made while the program runs
mpex_probe_texture | i4 | nprobe | what a reflection probe shows, -1 if none
mpex_probe_position | f8 | nprobe 3 | its centre in the world, m
mpex_probe_scale | f8 | nprobe 3 | size of the volume that it acts on, m
plugin | i4 | nplugin | slot of the plugin
plugin_stateadr | i4 | nplugin | first number of its state
plugin_statenum | i4 | nplugin | size of its state
plugin_attr | u1 | npluginattr | parameters of all instances, texts that end with 0
plugin_attradr | i4 | nplugin | first byte of its parameters
plugin_prm | f8 | nplugin 8 | its parameters as numbers, in the order of its attributes, -1 for none
cable_bodyid | i4 | ncable | bodies of cables (plugin mujoco.elasticity.cable), one cable after the other
cable_next | u1 | ncable | whether the next body is part of the same cable
cable_stiffness | f8 | ncable 3 | torque by turn about the body's axes against the body before, N m
cable_rest | f8 | ncable 3 | turn of the body against the body before where there is no torque, a rotation vector
key_time | f8 | nkey | time, s
key_qpos | f8 | nkey nq | positions
key_qvel | f8 | nkey nv | velocities
key_act | f8 | nkey na | activations
key_mpos | f8 | nkey nmpos | positions of mocap bodies, m
key_mquat | f8 | nkey nmquat | orientations of mocap bodies
key_ctrl | f8 | nkey nu | controls
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
DATA_SIZES = " ".join(CAPACITIES) + " nxmax nsdfmax"

DATA_CELLS = """
time | f8 | | state snapshot | simulation time, s
ncon | i8 | | output snapshot | number of contacts
ne | i8 | | output snapshot | number of equality rows
nf | i8 | | output snapshot | number of friction-loss rows
nl | i8 | | output snapshot | number of limit rows
nefc | i8 | | output snapshot | number of constraint rows
nJ | i8 | | output | number of entries of seg_J in use
ngrp | i8 | | scratch | number of groups of constraint rows
nseg | i8 | | scratch | number of Jacobian segments
npair | i8 | | scratch | number of pairs of blocks that rows or the inertia couple
nnode | i8 | | scratch | number of nodes of the Hessian's elimination
nbatch | i8 | | scratch | dual solvers: number of batches of rows
nknown | i8 | | scratch | 1 + number of pairs in pair_known, 0 when there is no elimination order yet
nisland | i8 | | output snapshot | number of constraint islands
nreset | i8 | | output snapshot | automatic resets since the last reset from outside
needs_memory | i8 | | scratch | 1: a stage ran out of memory and has to be run again after Data has grown
stage | i8 | | scratch | the stage of the step that ran out of memory
redo | i8 | | scratch | 1: a check wants the stages of this step run again; 2: this is that run
substep | i8 | | scratch | RK4: evaluations of the forward dynamics that are done in this step
rk4_time | f8 | | scratch | RK4: time at the start of the step, s
ctrl_bad | i8 | | scratch | whether a control is not a number or huge, so that all count as zero
nnear | i8 | | scratch | number of candidate pairs
nsdfpoint | i8 | | output snapshot | number of points of descents in signed-distance collisions
sweep_ready | i8 | | scratch | whether sweep_body and sweep_geom are listed
nsweep_body | i8 | | scratch | number of bodies in sweep_body
nsweep_geom | i8 | | scratch | number of geoms in sweep_geom
ccd_dist | f8 | | scratch | convex collision: distance of the two objects, negative in penetration, inf beyond the cutoff
ccd_nsimplex | i8 | | scratch | convex collision: number of vertices of the simplex
ccd_npoint | i8 | | scratch | convex collision: number of vertices of the polytope
ccd_nface | i8 | | scratch | convex collision: number of rows of ccd_face that have been used
ccd_nfree | i8 | | scratch | convex collision: number of rows in ccd_free
ccd_ncandidate | i8 | | scratch | convex collision: number of faces in ccd_candidate
recorder | i8 | | address | program of the recorder (engine/run/recorder.py), 0 for none
pool | i8 | | address | memory of the threads that share a step (engine/jit/parallel.py), 0 for none
timer | i8 | | address | memory of the stage timer (engine/run/timing.py), 0 for none
"""

DATA = """
qpos | f8 | nq | state snapshot | positions
qvel | f8 | nv | state snapshot | velocities
act | f8 | na | state snapshot | activations of actuators
qacc_warmstart | f8 | nv | state | acceleration that the solver starts from
ctrl | f8 | nu | input snapshot | controls
qfrc_applied | f8 | nv | input snapshot | forces applied by the user in joint space
xfrc_applied | f8 | nbody 6 | input snapshot | forces and torques applied by the user at centres of mass, N and N m
eq_active | u1 | neq | input snapshot | which equalities are on
mocap_pos | f8 | nmocap 3 | input snapshot | positions of mocap bodies, m
mocap_quat | f8 | nmocap 4 | input snapshot | orientations of mocap bodies
qacc | f8 | nv | output snapshot | accelerations
act_dot | f8 | na | output | rates of the activations
plugin_state | f8 | npluginstate | state snapshot | states of plugins
userdata | f8 | nuserdata | input snapshot | numbers of the user
sensordata | f8 | nsensordata | output snapshot | values of all sensors
xpos | f8 | nbody 3 | output snapshot | positions of bodies, m
xquat | f8 | nbody 4 | output snapshot | orientations of bodies
xmat | f8 | nbody 9 | output snapshot | orientations of bodies, matrices
xipos | f8 | nbody 3 | output snapshot | centres of mass, m
ximat | f8 | nbody 9 | output snapshot | orientations of the principal axes
xanchor | f8 | njnt 3 | output snapshot | anchors of joints, m
xaxis | f8 | njnt 3 | output snapshot | axes of joints
geom_xpos | f8 | ngeom 3 | output snapshot | positions of geoms, m
geom_xmat | f8 | ngeom 9 | output snapshot | orientations of geoms
site_xpos | f8 | nsite 3 | output snapshot | positions of sites, m
site_xmat | f8 | nsite 9 | output snapshot | orientations of sites
cam_xpos | f8 | ncam 3 | output snapshot | positions of cameras, m
cam_xmat | f8 | ncam 9 | output snapshot | orientations of cameras
light_xpos | f8 | nlight 3 | output snapshot | positions of lights, m
light_xdir | f8 | nlight 3 | output snapshot | directions of lights
flexvert_xpos | f8 | nflexvert 3 | output snapshot | positions of the vertices of flexes, m
flexelem_aabb | f8 | nflexelem 6 | output | boxes around the elements, with the radius: centre, half sizes, m
flexedge_length | f8 | nflexedge | output | lengths of the edges of flexes, m
flexedge_J | f8 | nJfe | output | their derivatives by the dofs, compressed rows as in model.flexedge_J_*
subtree_com | f8 | nbody 3 | output snapshot | centres of mass of bodies with all below them, m
cdof | f8 | nv 6 | output | motion axes about the root's centre of mass: angular, linear
cinert | f8 | nbody 10 | output | inertias of bodies about the root's centre of mass
ten_wrapadr | i4 | ntendon | output snapshot | first point of each tendon's path
ten_wrapnum | i4 | ntendon | output snapshot | number of points of each tendon's path
ten_length | f8 | ntendon | output snapshot | lengths of tendons
wrap_obj | i4 | nwrap 2 | output snapshot | geoms at the points of paths, -1 if none
wrap_xpos | f8 | nwrap 6 | output snapshot | points of paths, m
actuator_length | f8 | nu | output snapshot | lengths of actuators
actuator_moment | f8 | nJmom | output | moment arms, compressed rows
crb | f8 | nbody 10 | output | composite inertias of bodies with all below them
M | f8 | nC | output | joint-space inertia: lower triangle, rows as in model.M_*
qLD | f8 | nC | output | factor L'DL of M, same rows
qLDiagInv | f8 | nv | output | inverse of D
ten_velocity | f8 | ntendon | output snapshot | velocities of tendons
actuator_velocity | f8 | nu | output snapshot | velocities of actuators
flexedge_velocity | f8 | nflexedge | output | velocities of the lengths of the edges of flexes, m/s
cvel | f8 | nbody 6 | output snapshot | velocities of bodies about the root's centre of mass
cdof_dot | f8 | nv 6 | output | rates of cdof
qfrc_bias | f8 | nv | output | Coriolis, centrifugal and gravity forces
qfrc_spring | f8 | nv | output | spring forces
qfrc_damper | f8 | nv | output | damping forces
qfrc_gravcomp | f8 | nv | output | gravity compensation
qfrc_fluid | f8 | nv | output | forces of the medium
qfrc_passive | f8 | nv | output | all passive forces
subtree_linvel | f8 | nbody 3 | output | velocities of the subtrees' centres of mass, m/s
subtree_angmom | f8 | nbody 3 | output | angular momenta about them, kg m^2/s
qH | f8 | nC | output | factor of the integrator's matrix, rows as in M
qHDiagInv | f8 | nv | output | inverse of its D
qDeriv | f8 | nC | output | derivatives of smooth forces by velocities, rows as in M: force of the row's dof by velocity of the column's
qDeriv_upper | f8 | nC | output | the same, transposed: force of the column's dof by velocity of the row's; only the integrator implicit uses it
qLU | f8 | nC | output | LU factor of M - timestep qDeriv for implicit: the unit lower triangle, rows as in M, and the pivots on the diagonal
qLU_upper | f8 | nC | output | its upper triangle, transposed
actuator_force | f8 | nu | output snapshot | forces of actuators
qfrc_actuator | f8 | nv | output snapshot | their forces in joint space
qfrc_smooth | f8 | nv | output | all forces but constraint forces
qacc_smooth | f8 | nv | output | acceleration without constraints
qfrc_constraint | f8 | nv | output | constraint forces in joint space
qfrc_inverse | f8 | nv | output | forces found by inverse dynamics
cacc | f8 | nbody 6 | output | accelerations of bodies about the root's centre of mass
cfrc_int | f8 | nbody 6 | output | forces from the parent through the joint
cfrc_ext | f8 | nbody 6 | output | external forces on bodies
ten_J | f8 | nJten | output | tendon Jacobian, compressed rows as in model.ten_J_*
moment_rownnz | i4 | nu | output | number of entries in each row of actuator_moment
moment_rowadr | i4 | nu | output | address of each row of actuator_moment
moment_colind | i4 | nJmom | output | dof of each entry of actuator_moment
muscle_gain | f8 | nu | scratch | gains of muscles and of actuators with a gain of type user
muscle_gain_vel | f8 | nu | scratch | their derivatives by the velocity of the length
muscle_bias | f8 | nu | scratch | passive forces of muscles, bias forces of type user
energy | f8 | 2 | output snapshot | potential and kinetic energy, J
solver_fwdinv | f8 | 2 | output snapshot | norms of the differences of forward and inverse dynamics: constraint forces, applied forces
solver_niter | i4 | 20 | output snapshot | iterations of the constraint solver, noslip included, by island; the first entry where the model is solved as a whole
solver_improvement | f8 | 4000 | output | decrease of the cost, scaled, in iteration k of island i: entry 200 i + k
solver_gradient | f8 | 4000 | output | likewise: norm of the gradient after the iteration, scaled
solver_lineslope | f8 | 4000 | output | likewise: slope of the cost where the line search ended, scaled
solver_nactive | i4 | 4000 | output | likewise: number of active constraint rows
solver_nchange | i4 | 4000 | output | likewise: number of rows whose state changed
solver_neval | i4 | 4000 | output | likewise: evaluations of the cost in the line search
solver_nupdate | i4 | 4000 | output | likewise: rank-one changes of the Hessian
probe | f8 | 7 | scratch | work space of the search for length ranges
need | i8 | 12 | scratch | how much of each of CAPACITIES a stage asks for, 0 where there is enough
warning | i8 | 8 2 | output snapshot | for each WARN_: MuJoCo's lastinfo (index of the bad entry) and number (how often)
warning_time | f8 | 8 | output snapshot | simulation time at which each warning was first raised, s
contact_dist | f8 | nconmax | output snapshot | distance between the nearest points, negative in penetration, m
contact_pos | f8 | nconmax 3 | output snapshot | midpoint between the nearest points, m
contact_frame | f8 | nconmax 9 | output snapshot | rows: normal from geom1 to geom2, two tangents
contact_includemargin | f8 | nconmax | output snapshot | the contact makes constraints when dist is below this, m
contact_friction | f8 | nconmax 5 | output snapshot | tangent 1 and 2, spin, roll 1 and 2
contact_solref | f8 | nconmax 2 | output | solver reference, normal direction
contact_solreffriction | f8 | nconmax 2 | output | solver reference, friction directions
contact_solimp | f8 | nconmax 5 | output | solver impedance
contact_mu | f8 | nconmax | output snapshot | friction of the regularised cone
contact_H | f8 | nconmax 36 | output | cone Hessian
contact_dH | f8 | nconmax 36 | scratch | last change of contact_H
contact_dim | i4 | nconmax | output snapshot | 1, 3, 4 or 6
contact_geom | i4 | nconmax 2 | output snapshot | the geoms of the two sides, -1 where a side is part of a flex
contact_flex | i4 | nconmax 2 | output snapshot | the flexes of the two sides, -1 where a side is a geom
contact_elem | i4 | nconmax 2 | output snapshot | the elements of the flexes, -1 where a side is a geom or a vertex
contact_vert | i4 | nconmax 2 | output snapshot | the vertices of the flexes, -1 where a side is a geom or an element
contact_exclude | i4 | nconmax | output snapshot | 0 included, 1 in the gap, 2 fused, 3 no dofs
contact_efc_address | i4 | nconmax | output snapshot | first constraint row, -1 if none
efc_type | i4 | njmax | output snapshot | ConstraintType
efc_id | i4 | njmax | output snapshot | the equality, dof, joint, tendon or contact that the row comes from
efc_pos | f8 | njmax | output snapshot | position: equality residual, limit or contact distance
efc_margin | f8 | njmax | output | inclusion margin
efc_frictionloss | f8 | njmax | output | friction loss
efc_diagApprox | f8 | njmax | output | approximate diagonal of A
efc_KBIP | f8 | njmax 4 | output | stiffness, damping, impedance, its derivative
efc_D | f8 | njmax | output | constraint mass
efc_R | f8 | njmax | output | inverse constraint mass
efc_vel | f8 | njmax | output | velocity in constraint space
efc_aref | f8 | njmax | output | reference acceleration
efc_b | f8 | njmax | output | J qacc_smooth - aref: the linear term of the dual problem
efc_force | f8 | njmax | output snapshot | constraint force
efc_state | i4 | njmax | output snapshot | ConstraintState
grp_kind | i4 | njmax | scratch | law of a group of rows with one sparsity pattern: quadratic, friction, unilateral, pyramid, cone
grp_row | i4 | njmax | scratch | first constraint row of the group
grp_nrow | i4 | njmax | scratch | number of its constraint rows
grp_dim | i4 | njmax | scratch | number of its rows in seg_J: pyramid rows are combinations of them
grp_seg | i4 | njmax | scratch | first segment of the group
grp_nseg | i4 | njmax | scratch | number of its segments
grp_pair | i4 | njmax | scratch | first pair of its segments
efc_weight | f8 | njmax | scratch | weight of each row that is in the Hessian now; of cones contact_H
grp_changed | i4 | njmax | scratch | groups whose weights changed in an iteration
batch_row | i4 | njmax | scratch | dual solvers: first constraint row of a batch, rows whose forces are found together
batch_kind | i4 | njmax | scratch | law of its rows, as in grp_kind
batch_chunk | i4 | njmax | scratch | first of its chunks
batch_own | i8 | njmax | scratch | address in sol_B of A + R among its rows, padded to a multiple of 4; then follow its rows of B
chunk_x | i4 | nchunkmax | scratch | four entries of each row of B of a batch: place in sol_half of what they multiply
chunk_dof | i4 | nchunkmax | scratch | dof of the first of them
seg_block | i4 | nsegmax | scratch | block of dofs that a segment lies in
seg_dof | i4 | nsegmax | scratch | first dof of the segment
seg_num | i4 | nsegmax | scratch | number of consecutive dofs
seg_adr | i4 | nsegmax | scratch | address in seg_J of its grp_dim rows of seg_num entries, each padded to a multiple of 4
seg_x | i4 | nsegmax | scratch | place of its first dof in the order of elimination
seg_at | i4 | nsegmax | scratch | place of its first dof in its block
seg_J | f8 | nJmax | scratch | entries of the constraint Jacobian
efc_jar | f8 | njmax | scratch | J qacc - aref
efc_Jv | f8 | njmax | scratch | J times the search direction
efc_correction | f8 | njmax | scratch | change of force beyond what the Hessian predicts
pair_key | i8 | npairmax | scratch | the two blocks of a pair, as one number
pair_known | i8 | npairmax | scratch | the pairs that the present elimination order was made for
pair_adr | i8 | npairmax | scratch | where the pair's block begins in the Hessian
sub_node | i4 | nsubmax | scratch | later nodes that each node's rows have entries with
sub_col | i4 | nsubmax | scratch | their first columns in the node's panel
tree_root | i4 | ntree | scratch | union-find over kinematic trees
tree_island | i4 | ntree | output | island of each tree, -1 if unconstrained
tree_known | i4 | ntree | scratch | the islands that the present elimination order was made for
tree_x | i4 | ntree | scratch | place in sol_half of the tree's first dof
isl_blockadr | i4 | ntree | scratch | first of the island's blocks in isl_block
isl_blocknum | i4 | ntree | scratch | number of the island's blocks
isl_grpadr | i4 | ntree | scratch | first of the island's groups in isl_grp
isl_grpnum | i4 | ntree | scratch | number of the island's groups
isl_nodeadr | i4 | ntree | scratch | first of the island's nodes
isl_nodenum | i4 | ntree | scratch | number of the island's nodes
isl_dofnum | i4 | ntree | scratch | number of the island's dofs
isl_xadr | i4 | ntree | scratch | place of the island's first dof in the order of elimination
isl_xnum | i4 | ntree | scratch | number of the island's padded dofs
isl_Hadr | i8 | ntree | scratch | first entry of the island's Hessian
isl_Hnum | i8 | ntree | scratch | number of entries of the island's Hessian
isl_changenum | i4 | ntree | scratch | number of the island's groups in grp_changed, there from isl_grpadr on
isl_sum | f8 | ntree 8 | scratch | what an island adds to sums over islands (engine/dynamics/solver/primal.py)
isl_part | f8 | ntree 4 | scratch | of the first island of a part of the model that is solved as one: what all need to know
isl_block | i4 | nv | scratch | blocks by island
isl_grp | i4 | njmax | scratch | groups by island
block_node | i4 | nv | scratch | node of each block
block_off | i4 | nv | scratch | place of each block's dofs within its node
block_x | i4 | nv | scratch | place of each block's dofs in vectors by island
block_pair | i4 | nv | scratch | first pair of each block with the blocks above it in its tree
node_dim | i4 | nv | scratch | number of dofs of each node
node_x | i4 | nv | scratch | place of each node's dofs in the order of elimination, padded to a multiple of 4
node_H | i8 | nv | scratch | address of each node's panel: its rows of the upper triangle
node_cols | i4 | nv | scratch | number of columns of the panel: the node's own, then those of sub_node, each padded
node_sub | i4 | nv | scratch | first entry of the node in sub_node
node_nsub | i4 | nv | scratch | number of its entries
sym_adj | i4 | nadjmax | scratch | elimination order: neighbours of each block, then nodes eliminated next to it
sym_adjadr | i4 | nv | scratch | likewise: first entry of a block in sym_adj
sym_adjnum | i4 | nv | scratch | likewise: number of its neighbours there
sym_adjnode | i4 | nv | scratch | likewise: number of nodes there, after the neighbours
sym_local | i4 | nv | scratch | likewise: place of a block in its island
sym_size | i4 | nv | scratch | likewise: number of dofs of a block, padded
sym_degree | i4 | nv | scratch | likewise: number of dofs of its neighbours
sym_order | i4 | nv | scratch | likewise: when it is eliminated, -1 not yet
sym_absorbed | u1 | nv | scratch | likewise: whether a node is part of a later one
sym_mark | i4 | nv | scratch | likewise: the last visit to a block
sym_heap | i4 | nv | scratch | likewise: blocks not yet eliminated, a binary heap by degree
sym_place | i4 | nv | scratch | likewise: place of a block in that heap
sol_qacc | f8 | nxmax | scratch | accelerations by island, in the order of elimination, padded
sol_grad | f8 | nxmax | scratch | gradient of the solver's cost, likewise
sol_search | f8 | nxmax | scratch | search direction, likewise
sol_inv | f8 | nxmax | scratch | inverse diagonal of the factor, likewise
sol_Mgrad | f8 | nxmax | scratch | conjugate gradients: inverse(M) times the gradient, over dofs
sol_Ma | f8 | nv | scratch | M times the difference of qacc from qacc_smooth
side_body | i4 | 16 | scratch thread | bodies that move the sides of a contact
side_weight | f8 | 16 | scratch thread | their shares, negative on the first side
side_dof | i4 | 16 | scratch thread | the last dof of each
sol_step | f8 | nv | scratch | a vector over dofs
sol_Mstep | f8 | nv | scratch | M times it, or the gradient over dofs
sol_H | f8 | nHmax | scratch | Hessians of the islands
sol_L | f8 | nHmax | scratch | their Cholesky factors
sol_B | f8 | nBmax | scratch | dual solvers: by batch, A + R among its rows, and rows of B, where A = B B'
sol_half | f8 | nxmax | scratch | B' times the forces: by tree, each padded to a multiple of 4
sol_F | f8 | 6 | scratch thread | force of a group along its rows in seg_J
sol_W | f8 | 36 | scratch thread | change of a group's weights along its rows in seg_J
sol_WJ | f8 | 256 | scratch thread | weights times the rows of a segment
qacc_step | f8 | nv | scratch | acceleration that the integrator used
rk4_qpos | f8 | nq | scratch | RK4: positions at the start of the step
rk4_qvel | f8 | nv | scratch | RK4: velocities at the start of the step
rk4_act | f8 | na | scratch | RK4: activations at the start of the step
rk4_dqpos | f8 | nv | scratch | RK4: weighted sum of the velocities of the evaluations
rk4_dqvel | f8 | nv | scratch | RK4: weighted sum of their accelerations
rk4_dact | f8 | na | scratch | RK4: weighted sum of their rates of the activations
rne_cacc | f8 | nbody 6 | scratch | rne: accelerations without joint accelerations
rne_cfrc | f8 | nbody 6 | scratch | rne: forces between bodies
collision_function | i8 | 83 | address | address of the collision function of each pair of geom types, then of the convex collider and of candidates with a flex
distance_function | i8 | 81 | address | address of the function for the distance of each pair of geom types
fluid_deriv | f8 | 6 6 | scratch | derivative of the fluid force on a body or geom by its velocity, local: angular, linear
fluid_jac | f8 | nv 6 | scratch | local velocity of that body or geom for each dof above it: angular, linear
flexvert_force | f8 | nflexvert 3 | scratch | elastic forces on the vertices of flexes, N
flexcell | f8 | 4 24 | scratch | an interpolated flex: positions, displacements, velocities and forces of its eight nodes
flex_bounds | f8 | nflex 6 | scratch | boxes around the flexes with radius and margin: low corner, high corner, m
flextree_aabb | f8 | nflextree 6 | scratch | boxes of the nodes of the trees: centre, half sizes, m
flexrun_aabb | f8 | nflexelem 6 | scratch | boxes around runs of elements (RUN), from a flex's first element on: low and high ends, m
flex_key | f4 | nflexelem 2 | scratch | sweep of a flex against itself: low and high end of each element along the axis
flex_sweep | i4 | nflexelem 2 | scratch | the ends in order: twice the element, plus 1 for the high end
flex_open | i4 | nflexelem | scratch | the ends of each element that have been listed; elements near a box
flex_list | i4 | nflexelem 5 | scratch | lists of elements that have begun in that sweep: engine/collision/flex_self.py
geom_bounds | f8 | ngeom 6 | scratch | world boxes of the geoms with their margins: low corner, high corner
body_bounds | f8 | nbody 6 | scratch | the same of moving bodies
sweep_body | i4 | nbody | scratch | moving bodies in the order of the last sweep
sweep_geom | i4 | ngeom | scratch | fixed geoms in the order of the last sweep
sweep_body_box | f8 | nbody 6 | scratch | bounds in that order: low and high along the axis of the sweep, then the others
sweep_geom_box | f8 | ngeom 6 | scratch | the same of the fixed geoms
sweep_single | i4 | nbody | scratch | bodies in that order: the geom of a body that has one geom and no moving parent, -1 for others
near_bodies | i8 | nnearmax | scratch | candidates of the broad phase: lower body, higher body in the upper and lower 32 bits
near_geoms | i8 | nnearmax | scratch | the two geoms likewise, or a pair of the model minus npair
near_spare | i8 | nnearmax 2 | scratch | the same two, while they are sorted
near_number | i4 | nbody 2 | scratch | where the next candidate of each lower and each higher body goes
near_dist | f8 | 50 | scratch | contacts of one pair of geoms: distance
near_pos | f8 | 50 3 | scratch | position
near_frame | f8 | 50 6 | scratch | normal, then a direction for the first tangent (zero: any)
sdf_point | f8 | nsdfmax 3 | scratch snapshot | where descents in signed-distance collisions were, m
sdf_step | i4 | nsdfmax | scratch snapshot | which point of its descent each of them is; 0 is where one starts
sdf_geom | i4 | nsdfmax 2 | scratch snapshot | the two geoms
bvh_stack | i4 | 256 | scratch | nodes of trees of boxes that are still to be visited
ccd_type | i4 | 2 | scratch | convex collision: what each of two objects is, GEOM_ (a prism: GEOM_HFIELD)
ccd_mesh | i4 | 2 3 | scratch | a mesh's first vertex, its number, and the start of the hull's graph, -1 if none
ccd_vertex | i4 | 2 | scratch | the vertex that was the last answer of a search, -1 at the start
ccd_guess | i4 | nmeshgraph | scratch | by cell of directions of a hull, from where its graph begins: its farthest vertex, as last found
ccd_pos | f8 | 2 3 | scratch | position of each object, m
ccd_mat | f8 | 2 9 | scratch | orientation of each object
ccd_size | f8 | 2 3 | scratch | size of each object, as geom_size
ccd_half | f8 | 2 | scratch | how far each object is inflated: half of the margin, m
ccd_corner | f8 | 12 3 | scratch | vertices of a prism: rows 0 to 5 for object 0, 6 to 11 for object 1, m
ccd_witness | f8 | 2 3 | scratch | nearest points, or the ends of the penetration, on each object, m
ccd_weight | f8 | 4 | scratch | weights of the simplex's vertices
ccd_point | f8 | nccdmax 9 | scratch | vertices of simplex and polytope: point of the difference of the objects, point of each
ccd_index | i4 | nccdmax 2 | scratch | the vertices of the two objects that these points are
ccd_face | i4 | nccdmax 3 | scratch | vertices of each face of the polytope
ccd_adjacent | i4 | nccdmax 3 | scratch | the face at each edge of a face
ccd_plane | f8 | nccdmax 4 | scratch | the point of a face's plane that is nearest to the origin, its squared distance
ccd_place | i4 | nccdmax | scratch | place of a face in ccd_candidate, -1 not there, -2 deleted
ccd_candidate | i4 | nccdmax | scratch | faces that may be the nearest
ccd_free | i4 | nccdmax | scratch | rows of deleted faces
ccd_horizon | i4 | nccdmax 2 | scratch | edges of the horizon: face that stays, its edge
ccd_stack | i4 | nccdmax 2 | scratch | edges still to visit in the search for the horizon: face, edge
ccd_answer | i4 | 3 | scratch | vertices of the face that the polytope algorithm ended with
ccd_polygon | f8 | nccdmax 3 | scratch | contacts of flat faces: the polygon that clips
ccd_clipped | f8 | nccdmax 6 | scratch | the polygon that is clipped, before and after a side
dist_fromto | f8 | 6 | scratch | distance of two geoms: the nearest points
tendon_efcadr | i4 | ntendon | output | first constraint row that involves the tendon, -1 if none
dof_island | i4 | nv | output | island of each dof, -1 if unconstrained
start_table | i8 | 32 3 | address | what an automatic reset copies: slot and bytes of an array, address of its start value
"""


HISTORY_ROLES = ("state", "input")
ROLES = (*HISTORY_ROLES, "output", "scratch", "address")


@dataclass(frozen=True)
class Field:
    """One row. `role` is "" for rows of Model and for sizes.

    snapshot  whether snapshots copy it
    thread    whether each thread that takes part in a step has its own
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    help: str
    kind: str
    role: str = ""
    snapshot: bool = False
    thread: bool = False

    @property
    def inner(self) -> tuple[int, ...]:
        """Inner dimensions inside compiled code: arrays whose inner dimension is a size are flat there."""
        inner = tuple(n for n in self.shape[1:] if isinstance(n, int))
        return inner if len(inner) == len(self.shape) - 1 else ()

    @property
    def history(self) -> bool:
        """Whether a step starts from it, so that the history keeps it and a reset sets it to its start value."""
        return self.role in HISTORY_ROLES

    @property
    def grows(self) -> bool:
        """Whether it is an array of Data whose first dimension is a capacity: contacts, constraint rows."""
        return bool(self.shape) and self.shape[0] in CAPACITIES


def _rows(text: str, kind: str, has_role: bool) -> list[Field]:
    result = []
    for line in text.strip().splitlines():
        name, dtype, shape, *role, note = (part.strip() for part in line.split("|", 4 if has_role else 3))
        words = tuple(int(word) if word.isdigit() else word for word in shape.split())
        role, *marks = role[0].split() if has_role else ("",)
        if (has_role and role not in ROLES) or marks not in ([], ["snapshot"], ["thread"]):
            raise ValueError(f"{name}: no such role: {role} {marks}")
        result.append(Field(name, dtype, words, note, kind, role, "snapshot" in marks, "thread" in marks))
    return result


def _sizes(text: str) -> list[Field]:
    return [Field(name, "i8", (), "", "size") for name in text.split()]


TABLES: dict[str, list[Field]] = {
    "Model": _sizes(SIZES) + _rows(MODEL_CELLS, "cell", False) + _rows(MODEL, "array", False),
    "Data": _sizes(DATA_SIZES) + _rows(DATA_CELLS, "cell", True) + _rows(DATA, "array", True),
}


@functools.cache
def by_name(kind: str) -> dict[str, Field]:
    """The rows of Model or Data by name."""
    return {field.name: field for field in TABLES[kind]}


def select(condition: Callable[[Field], bool]) -> list[Field]:
    """The cells and arrays of Data that meet a condition on their role, in the order of the table."""
    return [field for field in TABLES["Data"] if field.role and condition(field)]


DTYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "i8": np.int64, "u1": np.uint8}
