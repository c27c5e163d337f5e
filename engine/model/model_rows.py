"""The rows of Model in the table of `engine/model/fields.py`, where the columns are explained:
name | dtype | shape | numbers | help.
"""

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
CELLS = """
opt_timestep | f8 | | s | integration step
opt_apirate | f8 | | Hz | update rate of an external interface
opt_impratio | f8 | | | frictional to normal impedance of contacts with elliptic cones
opt_tolerance | f8 | | | the solver stops when the scaled improvement falls below this
opt_ls_tolerance | f8 | | | the same for the line search
opt_noslip_tolerance | f8 | | | the same for the noslip solver
opt_ccd_tolerance | f8 | | m | tolerance of the convex collision detector
opt_density | f8 | | kg/m³ | density of the medium
opt_viscosity | f8 | | Pa s | viscosity of the medium
opt_o_margin | f8 | | m | margin of all contacts when contact override is on
opt_integrator | i8 | | below 4 | 0 Euler, 1 RK4, 2 implicit, 3 implicitfast
opt_cone | i8 | | flag | friction cones: 0 pyramidal, 1 elliptic
opt_jacobian | i8 | | below 3 | 0 dense, 1 sparse, 2 auto
opt_solver | i8 | | below 3 | 0 PGS, 1 CG, 2 Newton
opt_iterations | i8 | | any | most iterations of the main solver
opt_ls_iterations | i8 | | any | most iterations of its line search
opt_noslip_iterations | i8 | | any | most iterations of the noslip solver
opt_ccd_iterations | i8 | | any | most iterations of the convex collision detector
opt_disableflags | i8 | | any | bits of DisableBit: standard features switched off
opt_enableflags | i8 | | any | bits of EnableBit: optional features switched on
opt_disableactuator | i8 | | any | bits of actuator groups that are switched off
opt_sdf_initpoints | i8 | | any | starting points of the gradient descent on signed distances
opt_sdf_iterations | i8 | | any | iterations of that descent
stat_meaninertia | f8 | | | mean diagonal of the joint-space inertia at qpos0
stat_meanmass | f8 | | kg | mean body mass
stat_meansize | f8 | | m | mean body size
stat_extent | f8 | | m | spatial extent of the model
mpex_dialect | i8 | | any | 1 when the defaults of the Motphys dialect hold
mpex_ssao_active | i8 | | any | ambient occlusion on the screen
mpex_ssgi_active | i8 | | any | indirect light on the screen
mpex_ssgi_resolutionscale | i8 | | any | it divides the resolution of that effect: 1, 2 or 4
mpex_ssgi_raycount | i8 | | any | rays of indirect light per pixel
mpex_ssgi_stepcount | i8 | | any | samples along each ray
mpex_ssgi_thickness | f8 | | m | assumed thickness of surfaces
mpex_ssgi_intensity | f8 | | | brightness of the indirect light
mpex_ssgi_gidenoiseoffset | i8 | | any | pixel distance of its denoising filter, 0 none
mpex_ssgi_rraycount | i8 | | any | samples along each reflected ray
mpex_ssgi_rdenoiseoffset | i8 | | any | pixel distance of the denoising filter of reflections, 0 none
mpex_tonemapping_method | i8 | | any | TONEMAPPING_, -1 where nothing says
mpex_map_envmapintensity | f8 | | | brightness of the environment, -1 where nothing says
"""

# dof_treeid and the tree_* rows are the blocks of the joint-space inertia; M is kept as the lower triangle in
# compressed rows: row i holds the dof ancestors of i in ascending order, i itself last.
ARRAYS = """
opt_gravity | f8 | 3 | m/s² | gravity
opt_wind | f8 | 3 | m/s | velocity of the medium
opt_magnetic | f8 | 3 | | global magnetic field
opt_o_solref | f8 | 2 | | solref of all contacts when contact override is on
opt_o_solimp | f8 | 5 | | solimp of all contacts when contact override is on
opt_o_friction | f8 | 5 | | friction of all contacts when contact override is on
stat_center | f8 | 3 | m | centre of the model
tree_dofadr | i4 | ntree | derived | first dof of each kinematic tree
tree_dofnum | i4 | ntree | derived | number of dofs of each kinematic tree
dof_blockid | i4 | nv | derived | block of each dof: a tree, or a branch of a large one
block_dofadr | i4 | nv | derived | first dof of each block of consecutive dofs
block_dofnum | i4 | nv | derived | number of dofs of each block, 0 past the last
block_parentid | i4 | nv | derived | block that holds the dof above the block's first dof, -1 at a root
M_rownnz | i4 | nv | derived | number of entries in each row of M
M_rowadr | i4 | nv | derived | address of each row of M
M_colind | i4 | nC | derived | column of each entry of M
ten_J_rownnz | i4 | ntendon | derived | number of entries in each row of ten_J
ten_J_rowadr | i4 | ntendon | derived | address of each row of ten_J
ten_J_colind | i4 | nJten | derived | dof of each entry of ten_J
qpos0 | f8 | nq | | positions at the model's rest pose
qpos_spring | f8 | nq | | positions at which joint springs are at rest
body_parentid | i4 | nbody | of body checked | parent body
body_rootid | i4 | nbody | of body checked | the ancestor that is a child of the world
body_weldid | i4 | nbody | of body checked | the body that this one is fixed to, without joints between
body_mocapid | i4 | nbody | checked | mocap index, -1 if not a mocap body
body_jntnum | i4 | nbody | checked | number of joints
body_jntadr | i4 | nbody | checked | first joint, -1 if none
body_dofnum | i4 | nbody | checked | number of dofs
body_dofadr | i4 | nbody | checked | first dof, -1 if none
body_treeid | i4 | nbody | checked | kinematic tree, -1 if static
body_geomnum | i4 | nbody | checked | number of geoms
body_geomadr | i4 | nbody | checked | first geom, -1 if none
body_simple | u1 | nbody | below 3 | 1 diagonal inertia, 2 also sliders only
body_sameframe | u1 | nbody | SAMEFRAME_ | of the inertial frame
body_pos | f8 | nbody 3 | m | position in the parent
body_quat | f8 | nbody 4 | | orientation in the parent
body_ipos | f8 | nbody 3 | m | centre of mass in the body
body_iquat | f8 | nbody 4 | | orientation of the principal axes of inertia
body_mass | f8 | nbody | kg | mass
body_subtreemass | f8 | nbody | kg | mass of the body and all below it
body_inertia | f8 | nbody 3 | kg m² | principal moments of inertia
body_invweight0 | f8 | nbody 2 | | mean inverse inertia at qpos0: translation 1/kg, rotation 1/(kg m^2)
body_gravcomp | f8 | nbody | | share of the weight that is compensated
body_margin | f8 | nbody | m | largest margin of its geoms
body_user | f8 | nbody nuser_body | | numbers of the user
body_plugin | i4 | nbody | of plugin? | plugin instance, -1 if none
body_contype | i4 | nbody | any | union of its geoms' contype
body_conaffinity | i4 | nbody | any | union of its geoms' conaffinity
jnt_type | i4 | njnt | JNT_ checked |
jnt_qposadr | i4 | njnt | checked | first position in qpos
jnt_dofadr | i4 | njnt | checked | first dof
jnt_bodyid | i4 | njnt | of body checked | its body
jnt_group | i4 | njnt | any | group for drawing
jnt_limited | u1 | njnt | flag | whether range holds
jnt_actfrclimited | u1 | njnt | flag | whether actfrcrange holds
jnt_actgravcomp | u1 | njnt | flag | gravity compensation counts as actuator force
jnt_solref | f8 | njnt 2 | | solver reference of the limit
jnt_solimp | f8 | njnt 5 | | solver impedance of the limit
jnt_pos | f8 | njnt 3 | m | anchor in the body
jnt_axis | f8 | njnt 3 | | axis in the body
jnt_stiffness | f8 | njnt | N/m or N m/rad | spring stiffness
jnt_range | f8 | njnt 2 | m or rad | limits
jnt_actfrcrange | f8 | njnt 2 | N or N m | limits of the total actuator force
jnt_margin | f8 | njnt | | distance from the limit at which it begins to act
jnt_user | f8 | njnt nuser_jnt | | numbers of the user
dof_bodyid | i4 | nv | of body checked | its body
dof_jntid | i4 | nv | of joint checked | its joint
dof_parentid | i4 | nv | of dof? checked | the dof before it in the chain, -1 if none
dof_treeid | i4 | nv | checked | kinematic tree
dof_Madr | i4 | nv | any | address of its diagonal in mujoco's legacy layout of M
dof_simplenum | i4 | nv | any | number of simple dofs in a row from here on
dof_solref | f8 | nv 2 | | solver reference of friction loss
dof_solimp | f8 | nv 5 | | solver impedance of friction loss
dof_frictionloss | f8 | nv | N or N m | dry friction
dof_armature | f8 | nv | kg or kg m² | added inertia of rotors
dof_damping | f8 | nv | N s/m or N m s/rad | damping
dof_invweight0 | f8 | nv | | diagonal of the inverse inertia at qpos0
dof_M0 | f8 | nv | | diagonal of the inertia at qpos0
geom_type | i4 | ngeom | GEOM_ below 9 |
geom_contype | i4 | ngeom | any | bits that it collides as
geom_conaffinity | i4 | ngeom | any | bits that it collides with
geom_condim | i4 | ngeom | checked | dimension of its contacts: 1, 3, 4, 6
geom_bodyid | i4 | ngeom | of body checked | its body
geom_dataid | i4 | ngeom | checked | its mesh or height field, -1 if none
geom_matid | i4 | ngeom | of material? | its material, -1 if none
geom_group | i4 | ngeom | any | group for drawing
geom_priority | i4 | ngeom | any | contact priority
geom_plugin | i4 | ngeom | of plugin? | plugin instance, -1 if none
geom_sameframe | u1 | ngeom | SAMEFRAME_ | of the geom's frame
geom_solmix | f8 | ngeom | | weight in the mix of solver parameters
geom_solref | f8 | ngeom 2 | | solver reference
geom_solimp | f8 | ngeom 5 | | solver impedance
geom_size | f8 | ngeom 3 | m | sizes by type
geom_aabb | f8 | ngeom 6 | m | bounding box in the geom's frame: centre, half sizes
geom_rbound | f8 | ngeom | m | radius of the bounding sphere, 0 for planes
geom_pos | f8 | ngeom 3 | m | position in the body
geom_quat | f8 | ngeom 4 | | orientation in the body
geom_friction | f8 | ngeom 3 | | slide, spin, roll
geom_margin | f8 | ngeom | m | distance at which contact is detected
geom_gap | f8 | ngeom | m | part of the margin in which contacts are inactive
geom_fluid | f8 | ngeom 12 | | coefficients of the forces of the medium
geom_user | f8 | ngeom nuser_geom | | numbers of the user
geom_rgba | f4 | ngeom 4 | | colour without a material
site_type | i4 | nsite | GEOM_ below 9 | of its volume
site_bodyid | i4 | nsite | of body | its body
site_matid | i4 | nsite | of material? | its material, -1 if none
site_group | i4 | nsite | any | group for drawing
site_sameframe | u1 | nsite | SAMEFRAME_ | of the site's frame
site_size | f8 | nsite 3 | m | sizes by type
site_pos | f8 | nsite 3 | m | position in the body
site_quat | f8 | nsite 4 | | orientation in the body
site_user | f8 | nsite nuser_site | | numbers of the user
site_rgba | f4 | nsite 4 | | colour without a material
cam_mode | i4 | ncam | CAMLIGHT_ |
cam_bodyid | i4 | ncam | of body | its body
cam_targetbodyid | i4 | ncam | of body? | the body looked at, -1 if none
cam_pos | f8 | ncam 3 | m | position in the body
cam_quat | f8 | ncam 4 | | orientation in the body
cam_poscom0 | f8 | ncam 3 | m | position from the subtree's centre of mass at qpos0
cam_pos0 | f8 | ncam 3 | m | position from the body at qpos0
cam_mat0 | f8 | ncam 9 | | global orientation at qpos0
cam_orthographic | i4 | ncam | flag | parallel projection
cam_fovy | f8 | ncam | | vertical field of view, degrees (or m when orthographic)
cam_ipd | f8 | ncam | m | distance between the eyes
cam_resolution | i4 | ncam 2 | any | pixels, width and height
cam_sensorsize | f4 | ncam 2 | m | size of the sensor
cam_intrinsic | f4 | ncam 4 | m | focal length and principal point
cam_user | f8 | ncam nuser_cam | | numbers of the user
light_mode | i4 | nlight | CAMLIGHT_ |
light_bodyid | i4 | nlight | of body | its body
light_targetbodyid | i4 | nlight | of body? | the body lit, -1 if none
light_type | i4 | nlight | LIGHT_ |
light_texid | i4 | nlight | of texture? | texture of an image light, -1 if none
light_castshadow | u1 | nlight | flag | casts shadows
light_bulbradius | f4 | nlight | m | radius of the source
light_intensity | f4 | nlight | | candela, 0 for the legacy model
light_range | f4 | nlight | m | reach
light_active | u1 | nlight | flag | is on
light_pos | f8 | nlight 3 | m | position in the body
light_dir | f8 | nlight 3 | | direction in the body
light_poscom0 | f8 | nlight 3 | m | position from the subtree's centre of mass at qpos0
light_pos0 | f8 | nlight 3 | m | position from the body at qpos0
light_dir0 | f8 | nlight 3 | | global direction at qpos0
light_attenuation | f4 | nlight 3 | | constant, linear, quadratic
light_cutoff | f4 | nlight | degrees | half angle of a spot
light_exponent | f4 | nlight | | falloff of a spot
light_ambient | f4 | nlight 3 | | ambient colour
light_diffuse | f4 | nlight 3 | | diffuse colour
light_specular | f4 | nlight 3 | | specular colour
flex_contype | i4 | nflex | any | bits that it collides as
flex_conaffinity | i4 | nflex | any | bits that it collides with
flex_condim | i4 | nflex | checked | dimension of its contacts: 1, 3, 4, 6
flex_priority | i4 | nflex | any | contact priority
flex_solmix | f8 | nflex | | weight in the mix of solver parameters
flex_solref | f8 | nflex 2 | | solver reference
flex_solimp | f8 | nflex 5 | | solver impedance
flex_friction | f8 | nflex 3 | | slide, spin, roll
flex_margin | f8 | nflex | m | distance at which contact is detected
flex_gap | f8 | nflex | m | part of the margin in which contacts are inactive
flex_internal | u1 | nflex | flag | contacts that keep elements from turning inside out
flex_selfcollide | i4 | nflex | below 5 | how its elements are checked against each other: none, narrow, bvh, sap, auto
flex_activelayers | i4 | nflex | any | outer layers of a solid that collide
flex_dim | i4 | nflex | checked | 1 lines, 2 triangles, 3 tetrahedra
flex_matid | i4 | nflex | of material? | its material, -1 if none
flex_group | i4 | nflex | any | group for drawing
flex_interp | i4 | nflex | flag | 0 vertices on bodies, 1 interpolated between nodes on bodies
flex_nodeadr | i4 | nflex | span | first node
flex_nodenum | i4 | nflex | checked | number of nodes
flex_vertadr | i4 | nflex | span | first vertex
flex_vertnum | i4 | nflex | count | number of vertices
flex_edgeadr | i4 | nflex | span | first edge
flex_edgenum | i4 | nflex | count | number of edges
flex_elemadr | i4 | nflex | span | first element
flex_elemnum | i4 | nflex | count | number of elements
flex_elemdataadr | i4 | nflex | checked | first number in flex_elem
flex_elemedgeadr | i4 | nflex | checked | first number in flex_elemedge
flex_shellnum | i4 | nflex | checked | number of sides on the outside
flex_shelldataadr | i4 | nflex | checked | first number in flex_shell
flex_evpairadr | i4 | nflex | span | first pair of an element and a vertex
flex_evpairnum | i4 | nflex | checked | number of them
flex_texcoordadr | i4 | nflex | checked | first texture coordinate, -1 if none
flex_nodebodyid | i4 | nflexnode | of body | body of each node
flex_vertbodyid | i4 | nflexvert | of body? | body of each vertex, -1 where it is interpolated
flex_edge | i4 | nflexedge 2 | checked | vertices of each edge, the lower first
flex_edgeflap | i4 | nflexedge 2 | checked | the other vertices of the triangles at each edge, -1 if none
flex_elem | i4 | nflexelemdata | checked | vertices of the elements, dim + 1 each
flex_elemtexcoord | i4 | nflexelemdata | checked | texture coordinates of the elements' corners
flex_elemedge | i4 | nflexelemedge | checked | edges of the elements
flex_elemlayer | i4 | nflexelem | any | layers of elements between it and the outside
flex_shell | i4 | nflexshelldata | checked | vertices of the sides on the outside, dim each
flex_evpair | i4 | nflexevpair 2 | checked | an element and a vertex of its neighbour, for internal contacts
flex_vert | f8 | nflexvert 3 | m | position in the vertex's body
flex_vert0 | f8 | nflexvert 3 | (nan) | position at qpos0 in the flex's box, 0 to 1; not a number where the box is flat
flex_node | f8 | nflexnode 3 | m | position in the node's body
flex_node0 | f8 | nflexnode 3 | m | position at qpos0
flexedge_length0 | f8 | nflexedge | m | length at qpos0
flexedge_invweight0 | f8 | nflexedge | | inverse inertia along the edge at qpos0
flexedge_J_rownnz | i4 | nflexedge | derived | number of entries in each row of flexedge_J
flexedge_J_rowadr | i4 | nflexedge | derived | address of each row of flexedge_J
flexedge_J_colind | i4 | nJfe | derived | dof of each entry of flexedge_J
flex_treeadr | i4 | nflex | span | first node of the tree of boxes around its elements, -1 if none
flex_treenum | i4 | nflex | count | number of nodes of that tree
flextree_child | i4 | nflextree 2 | checked | the two nodes below a node, counted from the tree's first, -1 at a leaf
flextree_elem | i4 | nflextree | checked | the element of a leaf, -1 elsewhere
flexedge_rigid | u1 | nflexedge | flag | both ends are fixed to the same body
flex_radius | f8 | nflex | m | radius around all elements
flex_stiffness | f8 | nflexelem 21 | (nan) | elastic energy as a form in squared edge lengths, upper triangle
flex_bending | f8 | nflexedge 16 | | bending energy as a form in the four vertices around an edge
flex_damping | f8 | nflex | s | Rayleigh's damping coefficient
flex_edgestiffness | f8 | nflex | | stiffness of the edges
flex_edgedamping | f8 | nflex | | damping of the edges
flex_edgeequality | u1 | nflex | flag | a constraint keeps the edges' lengths
flex_rigid | u1 | nflex | flag | all vertices are fixed to the same body
flex_centered | u1 | nflex | flag | all vertices are at their bodies' origins
flex_flatskin | u1 | nflex | flag | shaded flat
flex_rgba | f4 | nflex 4 | | colour without a material
flex_texcoord | f4 | nflextexcoord 2 | | texture coordinates
mesh_vertadr | i4 | nmesh | span | first vertex
mesh_vertnum | i4 | nmesh | count | number of vertices
mesh_normaladr | i4 | nmesh | span | first normal
mesh_normalnum | i4 | nmesh | count | number of normals
mesh_texcoordadr | i4 | nmesh | span | first texture coordinate, -1 if none
mesh_texcoordnum | i4 | nmesh | count | number of texture coordinates
mesh_faceadr | i4 | nmesh | span | first face
mesh_facenum | i4 | nmesh | count | number of faces
mesh_graphadr | i4 | nmesh | checked | start of the hull's graph, -1 if none
mesh_scale | f8 | nmesh 3 | | scale that was applied
mesh_pos | f8 | nmesh 3 | m | where the file's origin went: the shift that centred the mesh
mesh_quat | f8 | nmesh 4 | | the turn that aligned the mesh with its principal axes
mesh_vert | f4 | nmeshvert 3 | m | vertices
mesh_normal | f4 | nmeshnormal 3 | | normals
mesh_texcoord | f4 | nmeshtexcoord 2 | | texture coordinates
mesh_face | i4 | nmeshface 3 | checked | vertices of each triangle
mesh_facenormal | i4 | nmeshface 3 | checked | normals of each triangle
mesh_facetexcoord | i4 | nmeshface 3 | checked | texture coordinates of each triangle
mesh_graph | i4 | nmeshgraph | checked | vertices and edges of the convex hulls
mesh_polynum | i4 | nmesh | count | number of flat faces of the hull
mesh_polyadr | i4 | nmesh | span | first of them
mesh_polynormal | f8 | nmeshpoly 3 | | their normals
mesh_polyvertadr | i4 | nmeshpoly | span mesh_polyvertnum nmeshpolyvert | first vertex of each flat face
mesh_polyvertnum | i4 | nmeshpoly | count | number of vertices of each flat face
mesh_polyvert | i4 | nmeshpolyvert | checked | vertices of the flat faces
mesh_polymapadr | i4 | nmeshvert | span mesh_polymapnum nmeshpolymap | first flat face at each vertex
mesh_polymapnum | i4 | nmeshvert | count | number of flat faces at each vertex
mesh_polymap | i4 | nmeshpolymap | checked | flat faces at the vertices
mesh_octadr | i4 | nmesh | span | root of the octree of its signed distance, -1 if none
mesh_octnum | i4 | nmesh | count | number of nodes of that octree
oct_depth | i4 | noct | any | nodes above it in its octree
oct_child | i4 | noct 8 | checked | its eighths, x + 2 y + 4 z: nodes numbered in the octree, or -1 - row of oct_coeff
oct_aabb | f8 | noct 6 | m | centre and half sides of its cube in the mesh's file
oct_coeff | f4 | noctcoeff 64 | | coefficients of x^i y^j z^k at i + 4 j + 16 k: the distance in a cube, 0 to 1 along each side
mesh_boxadr | i4 | nmesh | derived | first of the boxes around its triangles: a complete binary tree, children of k at 2k+1, 2k+2
mesh_boxdepth | i4 | nmesh | derived | depth of that tree; it has 2^depth leaves
mesh_box | f4 | nmeshbox 6 | (derived) | the boxes in the mesh's frame: low corner, high corner
mesh_boxface | i4 | nmeshface | derived | triangles of the mesh in the order of the leaves
skin_matid | i4 | nskin | of material? | material, -1 if none
skin_group | i4 | nskin | any | group for drawing
skin_rgba | f4 | nskin 4 | | colour without a material
skin_inflate | f4 | nskin | m | distance by which vertices are moved out along their normals
skin_vertadr | i4 | nskin | span | first vertex
skin_vertnum | i4 | nskin | count | number of vertices
skin_texcoordadr | i4 | nskin | id? nskintexvert | first texture coordinate, -1 if none
skin_faceadr | i4 | nskin | span | first face
skin_facenum | i4 | nskin | count | number of faces
skin_boneadr | i4 | nskin | span | first bone
skin_bonenum | i4 | nskin | count | number of bones
skin_vert | f4 | nskinvert 3 | m | vertices in the bind pose, global
skin_texcoord | f4 | nskintexvert 2 | | texture coordinates
skin_face | i4 | nskinface 3 | checked | vertices of each triangle
skin_bonevertadr | i4 | nskinbone | span skin_bonevertnum nskinbonevert | first vertex that the bone moves
skin_bonevertnum | i4 | nskinbone | count | number of vertices that the bone moves
skin_bonebindpos | f4 | nskinbone 3 | m | position of the body in the bind pose, global
skin_bonebindquat | f4 | nskinbone 4 | | orientation of the body in the bind pose
skin_bonebodyid | i4 | nskinbone | of body | the body that is the bone
skin_bonevertid | i4 | nskinbonevert | checked | vertices that the bones move, numbered in their skin
skin_bonevertweight | f4 | nskinbonevert | | weights of the bones at those vertices
hfield_size | f8 | nhfield 4 | m | half sizes x, y, height, depth of the base
hfield_nrow | i4 | nhfield | checked | rows of the grid
hfield_ncol | i4 | nhfield | checked | columns of the grid
hfield_adr | i4 | nhfield | checked | first height
hfield_data | f4 | nhfielddata | | heights, 0 to 1
tex_type | i4 | ntex | TEXTURE_ |
tex_colorspace | i4 | ntex | COLORSPACE_ |
tex_height | i4 | ntex | checked | rows of pixels
tex_width | i4 | ntex | checked | columns of pixels
tex_nchannel | i4 | ntex | checked | bytes a pixel
tex_adr | i4 | ntex | checked | first byte
tex_data | u1 | ntexdata | any | pixels
mat_texid | i4 | nmat 10 | of texture? | texture for each TEXROLE_, -1 if none
mat_texuniform | u1 | nmat | flag | texture repeats by length, not by object
mat_texrepeat | f4 | nmat 2 | | repeats along x and y
mat_emission | f4 | nmat | | light of its own, times rgba
mat_specular | f4 | nmat | | specular reflection
mat_shininess | f4 | nmat | | sharpness of highlights
mat_reflectance | f4 | nmat | | mirror reflection
mat_metallic | f4 | nmat | | metallic, -1 unset
mat_roughness | f4 | nmat | | roughness, -1 unset
mat_rgba | f4 | nmat 4 | | colour
pair_dim | i4 | npair | checked | dimension of the contacts
pair_geom1 | i4 | npair | of geom | first geom
pair_geom2 | i4 | npair | of geom | second geom
pair_signature | i4 | npair | checked | the two bodies: (body1 << 16) + body2
pair_solref | f8 | npair 2 | | solver reference, normal direction
pair_solreffriction | f8 | npair 2 | | solver reference, friction directions
pair_solimp | f8 | npair 5 | | solver impedance
pair_margin | f8 | npair | m | distance at which contact is detected
pair_gap | f8 | npair | m | part of the margin in which contacts are inactive
pair_friction | f8 | npair 5 | | tangent 1 and 2, spin, roll 1 and 2
exclude_signature | i4 | nexclude | checked | the two bodies: (body1 << 16) + body2
eq_type | i4 | neq | EQ_ below 5 |
eq_obj1id | i4 | neq | checked | first object
eq_obj2id | i4 | neq | checked | second object, -1 if none
eq_objtype | i4 | neq | OBJ_ below 26 | of both
eq_active0 | u1 | neq | flag | on at the start
eq_solref | f8 | neq 2 | | solver reference
eq_solimp | f8 | neq 5 | | solver impedance
eq_data | f8 | neq 11 | | numbers by type: anchors, relative pose, polynomial
tendon_adr | i4 | ntendon | span | first element of its path
tendon_num | i4 | ntendon | count | number of elements of its path
tendon_matid | i4 | ntendon | of material? | its material, -1 if none
tendon_group | i4 | ntendon | any | group for drawing
tendon_limited | u1 | ntendon | flag | whether range holds
tendon_actfrclimited | u1 | ntendon | flag | whether actfrcrange holds
tendon_width | f8 | ntendon | m | width for drawing
tendon_solref_lim | f8 | ntendon 2 | | solver reference of the limit
tendon_solimp_lim | f8 | ntendon 5 | | solver impedance of the limit
tendon_solref_fri | f8 | ntendon 2 | | solver reference of friction loss
tendon_solimp_fri | f8 | ntendon 5 | | solver impedance of friction loss
tendon_range | f8 | ntendon 2 | | limits of the length
tendon_actfrcrange | f8 | ntendon 2 | | limits of the total actuator force
tendon_margin | f8 | ntendon | | distance from the limit at which it begins to act
tendon_stiffness | f8 | ntendon | | spring stiffness
tendon_damping | f8 | ntendon | | damping
tendon_armature | f8 | ntendon | | inertia along the tendon
tendon_frictionloss | f8 | ntendon | | dry friction
tendon_lengthspring | f8 | ntendon 2 | | lengths between which its spring is slack
tendon_length0 | f8 | ntendon | | length at qpos0
tendon_invweight0 | f8 | ntendon | | inverse inertia along the tendon at qpos0
tendon_user | f8 | ntendon nuser_tendon | | numbers of the user
tendon_rgba | f4 | ntendon 4 | | colour without a material
wrap_type | i4 | nwrap | WRAP_ |
wrap_objid | i4 | nwrap | checked | joint, site or geom
wrap_prm | f8 | nwrap | | coefficient, divisor or side site
actuator_trntype | i4 | nu | TRN_ below 6 |
actuator_dyntype | i4 | nu | DYN_ |
actuator_gaintype | i4 | nu | GAIN_ |
actuator_biastype | i4 | nu | BIAS_ |
actuator_trnid | i4 | nu 2 | checked | what it acts on
actuator_momentadr | i4 | nu | derived | first entry of its row in data.actuator_moment
actuator_actadr | i4 | nu | span | first activation, -1 if none
actuator_actnum | i4 | nu | count | number of activations
actuator_group | i4 | nu | any | group for switching and drawing
actuator_ctrllimited | u1 | nu | flag | whether ctrlrange holds
actuator_forcelimited | u1 | nu | flag | whether forcerange holds
actuator_actlimited | u1 | nu | flag | whether actrange holds
actuator_dynprm | f8 | nu 10 | | parameters of its dynamics
actuator_gainprm | f8 | nu 10 | | parameters of its gain
actuator_biasprm | f8 | nu 10 | | parameters of its bias
actuator_actearly | u1 | nu | flag | the force follows the next activation
actuator_ctrlrange | f8 | nu 2 | | limits of the control
actuator_forcerange | f8 | nu 2 | | limits of the force
actuator_actrange | f8 | nu 2 | | limits of the activation
actuator_gear | f8 | nu 6 | | scale of length and force, by direction
actuator_cranklength | f8 | nu | m | length of the crank
actuator_acc0 | f8 | nu | | acceleration that a unit force makes at qpos0
actuator_length0 | f8 | nu | | length at qpos0
actuator_lengthrange | f8 | nu 2 | | shortest and longest length
actuator_user | f8 | nu nuser_actuator | | numbers of the user
actuator_plugin | i4 | nu | of plugin? | plugin instance, -1 if none
sensor_type | i4 | nsensor | SENS_ checked |
sensor_datatype | i4 | nsensor | DATATYPE_ |
sensor_needstage | i4 | nsensor | STAGE_ | after which it can be computed
sensor_objtype | i4 | nsensor | OBJ_ below 26 | kind of the sensed object
sensor_objid | i4 | nsensor | of sensor_objtype | id of the sensed object
sensor_reftype | i4 | nsensor | OBJ_ below 26 | of the reference frame
sensor_refid | i4 | nsensor | of sensor_reftype? | the reference frame, -1 for the world
sensor_dim | i4 | nsensor | checked | number of values
sensor_adr | i4 | nsensor | span | first value in sensordata
sensor_cutoff | f8 | nsensor | | values are cut at this, 0 never
sensor_noise | f8 | nsensor | | standard deviation of the noise, for the user
sensor_user | f8 | nsensor nuser_sensor | | numbers of the user
sensor_plugin | i4 | nsensor | of plugin? | plugin instance, -1 if none
numeric_adr | i4 | nnumeric | span | first number
numeric_size | i4 | nnumeric | count | number of numbers
numeric_data | f8 | nnumericdata | | the numbers
text_adr | i4 | ntext | span | first character
text_size | i4 | ntext | count | number of characters, with the closing zero
tuple_adr | i4 | ntuple | span | first element
tuple_size | i4 | ntuple | count | number of elements
tuple_objtype | i4 | ntupledata | OBJ_ below 26 | of each element
tuple_objid | i4 | ntupledata | of tuple_objtype | id of each element
tuple_objprm | f8 | ntupledata | | number given with each element
mpex_jnt_hardlimit | u1 | njnt | any | the limit gives way to nothing
mpex_geom_hard | u1 | ngeom | any | its contacts give way to nothing
mpex_cam_trackposspeed | f8 | ncam | m/s | speed at which it follows its target position, 0 at once
mpex_cam_trackrotspeed | f8 | ncam | rad/s | speed at which it follows its target orientation, 0 at once
mpex_cam_depth | u1 | ncam | any | gives depth instead of colour
mpex_cam_znear | f8 | ncam | m | near clipping distance, 0: computed
mpex_cam_zfar | f8 | ncam | m | far clipping distance, 0: computed
mpex_light_innerangle | f8 | nlight | degrees | half angle of a spot's fully lit cone, -1 where nothing says
mpex_light_nearz | f8 | nlight | m | near plane of its shadow map, -1 where nothing says
mpex_mat_emission | f4 | nmat 4 | | emitted colour where four numbers are given, else 0
mpex_mat_emissionintensity | f4 | nmat | | factor on that colour
mpex_mat_detailpara | f4 | nmat 4 | | detail normal map: repeats along u and v, strength, a spare number
mpex_mat_depthbias | i4 | nmat | any | draws the surface nearer or farther
mpex_mat_castshadow | u1 | nmat | any | geoms of this material cast shadows
mpex_sensor_num | i4 | nsensor | below 1000000 | most contacts that a contact sensor reports
mpex_sensor_reduce | i4 | nsensor | below 4 | which of them: 0 any, 1 the nearest, 2 the strongest, 3 their sum
mpex_sensor_data | i4 | nsensor 7 | checked | what it reports: places in found force torque dist pos normal tangent, then -1
mpex_tex_environment | i4 | ntex | any | ENVIRONMENT_: what it is for as light of the surroundings
mpex_tex_dynamic | u1 | ntex | any | its image is made while the program runs
mpex_probe_texture | i4 | nprobe | of texture? | image of a reflection probe, -1 if none
mpex_probe_position | f8 | nprobe 3 | m | its centre in the world
mpex_probe_scale | f8 | nprobe 3 | m | size of the volume that it acts on
plugin | i4 | nplugin | below 10 | slot of the plugin
plugin_stateadr | i4 | nplugin | span | first number of its state
plugin_statenum | i4 | nplugin | count | size of its state
plugin_attr | u1 | npluginattr | any | parameters of all instances, texts that end with 0
plugin_attradr | i4 | nplugin | id npluginattr | first byte of its parameters
plugin_prm | f8 | nplugin 8 | | its parameters as numbers, in the order of its attributes, -1 for none
cable_bodyid | i4 | ncable | of body | bodies of cables (plugin mujoco.elasticity.cable), one cable after the other
cable_next | u1 | ncable | flag | whether the next body is part of the same cable
cable_stiffness | f8 | ncable 3 | N m | torque by turn about the body's axes against the body before
cable_rest | f8 | ncable 3 | | turn of the body against the body before where there is no torque, a rotation vector
key_time | f8 | nkey | s | time
key_qpos | f8 | nkey nq | | positions
key_qvel | f8 | nkey nv | | velocities
key_act | f8 | nkey na | | activations
key_mpos | f8 | nkey nmpos | m | positions of mocap bodies
key_mquat | f8 | nkey nmquat | | orientations of mocap bodies
key_ctrl | f8 | nkey nu | | controls
"""
