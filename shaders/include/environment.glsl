// The light that comes from around, as physically based materials get it: the sky or the studio, a probe, and the ground.
#include "octahedron.glsl"

uniform sampler2D surroundings_map;  // levels of growing roughness
uniform samplerCube source_map;      // what they were made of
#ifdef PROBE
uniform sampler2D probe_map;
uniform samplerCube probe_source;
#endif
#ifdef GROUND
uniform sampler2D ground_map;
#endif

const float LEVELS = 5.0;
const float SHARPEST = 0.1;  // roughness of level 0

// Light from a direction, spread by a lobe of squared roughness a.
vec3 far_light(sampler2D map, samplerCube source, float texels, vec3 direction, float a) {
    float r = sqrt(a);
    float level = (LEVELS - 1.0) * sqrt(clamp((r - SHARPEST) / (1.0 - SHARPEST), 0.0, 1.0));
    vec3 rough = textureLod(map, octahedral_place(direction), level).rgb;
    vec3 sharp = textureLod(source, vec3(direction.x, direction.z, -direction.y), log2(max(2.0 * a * texels, 1.0))).rgb;
    return mix(sharp, rough, smoothstep(0.06, SHARPEST, r));
}

#ifdef PROBE
// The probe shows what is on the walls of its box; it fades out near them.
vec3 probe_light(vec3 world, vec3 direction, float a, out float share) {
    vec3 p = world - probe_position.xyz;
    vec3 inside = 1.0 - abs(p) / probe_size.xyz;
    share = smoothstep(0.0, 0.1, min(inside.x, min(inside.y, inside.z)));
    vec3 steps = (probe_size.xyz - sign(direction) * p) / max(abs(direction), vec3(1e-6));  // to each pair of walls
    vec3 hit = p + direction * max(min(steps.x, min(steps.y, steps.z)), 0.0);
    return far_light(probe_map, probe_source, probe_position.w, normalize(hit), a);
}
#endif

#ifdef CAPTURED
uniform sampler2D captured_map;  // what is seen from these places, side by side

vec4 captured_texel(int which, vec3 direction, float level) {
    vec2 place = octahedral_place(direction);
    return textureLod(captured_map, vec2((place.x + float(which)) / float(CAPTURES), place.y), level);
}

// Things around, as seen from the nearest place; alpha: the share that they cover. Where a ray meets them is found in two
// guesses from how far away they are.
vec4 things_around(vec3 world, vec3 direction, float a) {
    int which = 0;
    float nearest = 1e30;
    for (int i = 0; i < CAPTURES; ++i) {
        vec3 apart = world - captured[i].xyz;
        float far = dot(apart, apart);
        if (captured[i].w > 0.0 && far < nearest) {
            nearest = far;
            which = i;
        }
    }
    if (captured[which].w <= 0.0) return vec4(0.0);  // no view is drawn yet
    float level = (LEVELS - 1.0) * pow(a, 1.0 / 3.0);
    vec3 offset = world - captured[which].xyz, toward = direction;
    float along = dot(offset, direction);
    vec4 found = captured_texel(which, toward, level);
    for (int i = 0; i < 2; ++i) {
        float far = captured[which].w * (1.0 / clamp(2.0 * found.a - 1.0, 0.001, 1.0) - 1.0);
        float step = sqrt(max(along * along - nearest + far * far, 0.0)) - along;
        toward = normalize(offset + direction * max(step, 1e-4));
        found = captured_texel(which, toward, level);
    }
    return vec4(found.rgb, min(2.0 * found.a, 1.0));
}
#endif

// What a surface of squared roughness a sees in a direction.
vec3 surroundings(vec3 world, vec3 direction, float a) {
    vec3 color = far_light(surroundings_map, source_map, reflected.x, direction, a);
#ifdef GROUND
    float height = dot(ground_plane, vec4(world, 1.0));
    float fall = -dot(ground_plane.xyz, direction);
    float blur = 0.004 + 0.9 * a;
    float cover = smoothstep(-blur, blur, fall);
    if (cover > 0.0) {
        vec3 floor_color = ground_color.rgb;
#ifdef GROUND_TEXTURE
        float t = max(height, 0.0) / max(fall, 0.02);
        vec3 hit = world + direction * t;
        vec2 local = vec2(dot(ground_x.xyz, hit) - ground_x.w, dot(ground_y.xyz, hit) - ground_y.w);
        vec2 uv = vec2(0.5, -0.5) * ground_scale.xy * local - 0.5 + vec2(ground_scale.z, -ground_scale.w);
        vec2 texels = 0.5 * ground_scale.xy * vec2(textureSize(ground_map, 0));
        float footprint = t * (0.002 + a * 1.2) / max(fall, 0.05);
        floor_color *= textureLod(ground_map, uv, log2(max(footprint * max(texels.x, texels.y), 1.0))).rgb;
#endif
        color = mix(color, floor_color, cover * (1.0 - haze_amount(direction) * (1.0 - smoothstep(0.0, 0.2, a))));
    }
#endif
    color *= reflected.y;
#ifdef PROBE
    float share;
    vec3 probe = probe_light(world, direction, a, share);
    color = mix(color, probe * reflected.y, share);
#endif
#ifdef CAPTURED
    vec4 things = things_around(world, direction, a);
    color = color * (1.0 - things.a) + things.rgb;
#endif
    return color;
}

// Light from all around on a matte surface.
vec3 surrounding_light(vec3 n) {
    vec3 sum = far_matte_light(n);
#ifdef GROUND
    vec3 floor_color = ground_color.rgb;
#ifdef GROUND_TEXTURE
    floor_color *= textureLod(ground_map, vec2(0.5), 16.0).rgb;
#endif
    sum += floor_color * (reflected.z * (0.5 - 0.5 * dot(n, ground_plane.xyz)));
#endif
    return max(sum, 0.0);
}
