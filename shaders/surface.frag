#version 410 core
// Lit surfaces. Each define is a feature that costs time; a program has only those that its batch needs. What is done
// in which order stands here, how it is done in the files that are included.
#include "frame.glsl"
#include "lights.glsl"
#include "legacy.glsl"
#if defined(PBR) || defined(INFINITE)
#include "sky.glsl"
#endif
#ifdef SHADOWS
#include "shadow.glsl"
#endif

in vec3 v_world;
in vec3 v_normal;
flat in vec4 v_color;
flat in vec4 v_surface;  // emission, specular, exponent of the highlight, reflectance
flat in vec4 v_extra;    // -, metallic, roughness, glow
#if defined(TEXTURE_2D) || defined(TEXTURE_CUBE)
#define TEXTURED
#endif
#if defined(TEXTURE_2D)
in vec2 v_texcoord;
uniform sampler2D color_map;
#elif defined(TEXTURE_CUBE)
in vec3 v_texcoord;
uniform samplerCube color_map;
#endif
#ifdef LAYERS
#if defined(TEXTURE_CUBE)
#define v_layer v_texcoord.xy
#else
#define v_layer v_texcoord
#endif
#include "layers.glsl"
#endif

uniform vec4 viewer;          // eye, w = 1: orthographic
uniform vec4 viewer_forward;
#ifdef CAPTURE
uniform float captured_depth;  // distance that is kept best
#endif

layout(location = 0) out vec4 out_color;  // linear light; with BLEND multiplied by alpha
#ifdef NORMAL_OUTPUT
layout(location = 1) out vec4 out_normal;  // in the world; w: roughness of what may reflect the screen, else -1
#endif

#if defined(BLEND) && defined(PBR)
const float GLASS = 8.0;  // 1 / alpha below which reflections fade
#endif

#include "section.glsl"
#include "material.glsl"
#include "brdf.glsl"
#include "lighting.glsl"
#if defined(PBR) || defined(IMAGE_LIGHT)
#include "harmonics.glsl"
#endif
#ifdef PBR
#include "environment.glsl"
#endif
#include "mirror.glsl"
#include "air.glsl"
#ifdef OCCLUSION
#include "occlusion.glsl"
#endif
#if defined(SCREEN_REFLECTIONS) || defined(INDIRECT)
#include "screen_light.glsl"
#endif

void main() {
    vec4 base = v_color;
#ifdef TEXTURED
    vec4 pattern = texture(color_map, v_texcoord);
    base *= pattern;
#else
    const vec4 pattern = vec4(1.0);
#endif
    vec3 n = normalize(v_normal);
    vec3 place = v_world;
#if defined(TWO_SIDED) || defined(SECTION)
    if (!gl_FrontFacing) n = -n;
#endif
#ifdef CUT
    show_cut(place, n, base);
#endif
    vec3 to_eye = viewer.xyz - place;
    vec3 v = viewer.w > 0.5 ? -viewer_forward.xyz : normalize(to_eye);

    Material m = material_of(base.rgb, pattern.rgb, v, n);
    vec3 open = vec3(1.0), open_shown = vec3(1.0);  // share of the light from all around that arrives; sRGB-encoded
#ifdef OCCLUSION
    float visibility = ambient_visibility(dot(-to_eye, viewer_forward.xyz));
#ifdef INDIRECT
    open = vec3(visibility);
#else
    open = reflected_again(visibility, m.albedo);
#endif
    open_shown = encoded(open);
#endif
    Received light = lamps(m, place, n, v, open_shown);
#ifdef INDIRECT
    light.diffuse += found_light(indirect_map, dot(-to_eye, viewer_forward.xyz)).rgb;
#endif
#ifdef PBR
    vec3 again;
    vec3 share = environment_share(m, again);
    vec3 mirrored_ray = reflect(-v, n);
    vec3 bend = fwidth(mirrored_ray);  // what a pixel of a curved surface reflects is as wide
    vec3 around = surroundings(place, mirrored_ray, min(sqrt(m.lobe * m.lobe + 0.1 * dot(bend, bend)), 1.0));
#ifdef OCCLUSION
    around *= specular_visibility(visibility, m.ndv, m.roughness);
#endif
#ifdef SCREEN_REFLECTIONS
    vec4 seen = found_light(reflection_map, dot(-to_eye, viewer_forward.xyz));
    around = around * (1.0 - seen.a) + seen.rgb;
#endif
    vec3 matte = decoded(light.shown) + light.diffuse + surrounding_light(n) * open * m.occlusion;
    vec3 sheen = light.specular * again + share * around * m.occlusion;
    vec3 color = m.albedo * (1.0 - share) * matte + sheen + m.emitted;
#else
    vec3 color = decoded(m.shown * (light.shown + m.emitted) + m.gloss * light.highlight);
#ifdef BLEND
    vec3 sheen = color - decoded(m.shown * (light.shown + m.emitted));
#endif
#if defined(PHOTOMETRIC) || defined(INDIRECT)
    color += m.albedo * light.diffuse + m.gloss * light.specular;
#ifdef BLEND
    sheen += m.gloss * light.specular;
#endif
#endif
#ifdef IMAGE_LIGHT
    color += m.albedo * max(far_matte_light(n), 0.0) * open;
#endif
#endif
#ifdef MIRROR
#ifdef PBR
    color += v_surface.w * mirrored(n, m.roughness).rgb;
#else
    // encoded colours of things add up, as in MuJoCo's renderer
    vec4 seen = mirrored(n, 0.0);
    vec3 shown = encoded(min(seen.rgb, 1.0)) + max(seen.rgb - 1.0, 0.0) / 2.2;
    color = mix(color + v_surface.w * seen.rgb, decoded(encoded(color) + v_surface.w * shown), seen.a);
#endif
#endif
    color = through_air(color, to_eye);
#ifdef BLEND
    // What lets light through still reflects it: glass as much as ever (but not the holes of a pattern), a legacy material
    // as much as if it was blended twice, which its author saw.
#ifdef PBR
    float kept = max(min(GLASS * v_color.a, 1.0) * pattern.a - base.a, 0.0);
#else
    float kept = base.a * (1.0 - base.a);
#endif
    out_color = vec4(color * base.a + sheen * (kept * clearness(to_eye)), base.a);
#elif defined(CAPTURE)
    // alpha: 0.5 and more where something is, the more the nearer
    out_color = vec4(min(color, 1000.0), 0.5 + 0.5 / (1.0 + length(to_eye) / captured_depth));
#elif defined(FADING)
    float shown = 1.0 - haze_amount(-to_eye);  // the plane ends in the transparent background
    out_color = vec4(color * shown, shown);
#elif defined(BLOOM)
    out_color = vec4(color, 1.0 + glowing(m, color));  // alpha above 1: the emitted part
#else
    out_color = vec4(color, 1.0);
#endif
#ifdef NORMAL_OUTPUT
#if defined(PBR) && !defined(MIRROR)
    out_normal = vec4(n, m.roughness);
#else
    out_normal = vec4(n, -1.0);
#endif
#endif
}
