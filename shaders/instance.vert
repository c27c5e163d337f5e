#version 410 core
// Every shape of every pass: places an instance's vertices in the world.
#include "frame.glsl"
#include "instance.glsl"

in vec3 in_position;
in vec3 in_normal;
in vec3 in_texcoord;  // u, v; z: -1, 0, 1: which end of a capsule

uniform mat4 pass_matrix;
#ifdef CLIP
uniform vec4 mirror_plane;  // nothing below it is drawn
#endif

#ifdef LISTED
uniform sampler2D caster_map;  // numbers of the instances to draw
#endif

#ifdef NUMBERED
flat out float v_number;
#endif
#ifdef DEPTH_ONLY
#ifdef TINT
flat out vec4 v_color;
#endif
#else
out vec3 v_world;
out vec3 v_normal;
flat out vec4 v_color;
flat out vec4 v_surface;
flat out vec4 v_extra;
flat out float v_segment;
#if defined(SOLID) && !defined(NUMBERED)
flat out vec3 v_center;
flat out vec3 v_size;
flat out mat3 v_rows;
#endif
#if defined(TEXTURE_2D)
out vec2 v_texcoord;
#elif defined(TEXTURE_CUBE)
out vec3 v_texcoord;
#endif
#endif

invariant gl_Position;  // passes that draw a surface again test for equal depth

#if defined(CLIP) && defined(SECTION)
out float gl_ClipDistance[2];
#elif defined(CLIP) || defined(SECTION)
out float gl_ClipDistance[1];
#endif

void main() {
    int id = base + gl_InstanceID;
#ifdef LISTED
    int width = textureSize(caster_map, 0).x;
    id = int(texelFetch(caster_map, ivec2(id % width, id / width), 0).r);
#endif
    vec3 position, size;
    mat3 rows;
    float segment;
    transform_of(id, position, rows, size, segment);
    vec4 extra = field(id, 7);
    vec3 local = in_position * size + vec3(0.0, 0.0, in_texcoord.z * extra.x);
    vec3 world = position + local * rows;
    gl_Position = pass_matrix * vec4(world, 1.0);
#ifdef NUMBERED
    v_number = float(1 + id % CUT_NUMBERS);
#endif
#ifdef CLIP
    gl_ClipDistance[0] = dot(mirror_plane, vec4(world, 1.0));
#ifdef SECTION
    gl_ClipDistance[1] = dot(section_plane, vec4(world, 1.0));
#endif
#elif defined(SECTION)
    gl_ClipDistance[0] = dot(section_plane, vec4(world, 1.0));
#endif
#ifdef DEPTH_ONLY
#ifdef TINT
    v_color = field(id, 4);
#endif
#else
    v_world = world;
#ifdef SHEARED
    v_normal = in_normal * rows;
#else
    v_normal = (in_normal / size) * rows;
#endif
    v_color = field(id, 4);
    v_surface = field(id, 5);
    v_extra = extra;
    v_segment = segment;
#if defined(SOLID) && !defined(NUMBERED)
    v_center = position;
    v_size = size;
    v_rows = rows;
#endif
#if defined(TEXTURE_2D)
    vec4 map = field(id, 6);
#ifdef TEXTURE_MESH
    v_texcoord = in_texcoord.xy;
#elif defined(INFINITE)
    v_texcoord = vec2(0.5, -0.5) * map.xy * local.xy - 0.5 + vec2(map.z, -map.w);
#else
    v_texcoord = vec2(0.5, -0.5) * map.xy * in_position.xy - 0.5 + vec2(map.z, -map.w);
#endif
#elif defined(TEXTURE_CUBE)
    // metres if uniform, else the unit object; a capsule's ends reach to -1 and 1
    vec3 unit = local / vec3(size.xy, size.z + extra.x);
    v_texcoord = mix(unit, local, field(id, 6).x);
#endif
#endif
}
