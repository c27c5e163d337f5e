#version 410 core
// Every shape of every pass: places an instance's vertices in the world.
#include "frame.glsl"
#include "instance.glsl"

in vec3 in_position;
in vec3 in_normal;
in vec3 in_texcoord;  // u, v; z: -1, 0, 1: which end of a capsule

uniform mat4 pass_matrix;

#ifdef DEPTH_ONLY
flat out float v_alpha;
#else
out vec3 v_world;
out vec3 v_normal;
flat out vec4 v_color;
flat out vec4 v_surface;
flat out vec4 v_extra;
flat out float v_segment;
#if defined(TEXTURE_2D)
out vec2 v_texcoord;
#elif defined(TEXTURE_CUBE)
out vec3 v_texcoord;
#endif
#endif

#ifdef CLIP
out float gl_ClipDistance[1];
#endif

void main() {
    int id = base + gl_InstanceID;
    vec3 position, size;
    mat3 rows;
    float segment;
    transform_of(id, position, rows, size, segment);
    vec4 extra = field(id, 7);
    vec3 local = in_position * size + vec3(0.0, 0.0, in_texcoord.z * extra.x);
    vec3 world = position + local * rows;
    gl_Position = pass_matrix * vec4(world, 1.0);
#ifdef CLIP
    gl_ClipDistance[0] = dot(mirror_plane, vec4(world, 1.0));
#endif
#ifdef DEPTH_ONLY
    v_alpha = field(id, 4).a;
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
