#version 410 core
// Lit surfaces. Each define is a feature that costs time; a program has only those that its batch needs.
#include "frame.glsl"
#include "lights.glsl"
#if defined(PBR) || defined(INFINITE)
#include "sky.glsl"
#endif
#ifdef SHADOWS
#include "shadow.glsl"
#endif

in vec3 v_world;
in vec3 v_normal;
flat in vec4 v_color;
flat in vec4 v_surface;  // emission, specular, squared roughness of the highlight, reflectance
flat in vec4 v_extra;    // -, metallic, roughness, glow
#if defined(TEXTURE_2D)
in vec2 v_texcoord;
uniform sampler2D color_map;
#elif defined(TEXTURE_CUBE)
in vec3 v_texcoord;
uniform samplerCube color_map;
#endif
#ifdef MIRROR
uniform sampler2D mirror_map;
#endif
#ifdef GROUND
uniform sampler2D ground_map;
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

layout(location = 0) out vec4 out_color;  // linear light; with BLEND multiplied by alpha
#ifdef NORMAL_OUTPUT
layout(location = 1) out vec4 out_normal;  // in the world
#endif

const float PI = 3.14159265;

struct Sum {
    vec3 diffuse;
    vec3 specular;
};

#ifdef PBR
// GGX distribution, Smith visibility (Hammon's fit), Schlick's Fresnel; times pi, as lights give irradiance / pi
vec3 highlight(vec3 n, vec3 v, vec3 l, float ndl, float ndv, float a, vec3 f0) {
    vec3 h = normalize(l + v);
    float ndh = clamp(dot(n, h), 0.0, 1.0), ldh = clamp(dot(l, h), 0.0, 1.0);
    float a2 = a * a;
    float d = ndh * ndh * (a2 - 1.0) + 1.0;
    float visibility = 0.5 / max(mix(2.0 * ndl * ndv, ndl + ndv, a), 1e-4);
    float k = 1.0 - ldh;
    float k2 = k * k;
    return (f0 + (1.0 - f0) * (k2 * k2 * k)) * (a2 / max(d * d, 1e-7) * visibility * ndl);
}
#else
// The same lobe with its peak at 1: legacy materials give its height (specular) and width (shininess) apart
float highlight(vec3 n, vec3 v, vec3 l, float a2) {
    vec3 h = normalize(l + v);
    float ndh = clamp(dot(n, h), 0.0, 1.0);
    float d = a2 / (ndh * ndh * (a2 - 1.0) + 1.0);
    return d * d;
}
#endif

#ifdef PBR
// Environment's share of a smooth surface, Karis's fit for mobile (2014)
vec3 environment_share(vec3 f0, float roughness, float ndv) {
    const vec4 c0 = vec4(-1.0, -0.0275, -0.572, 0.022), c1 = vec4(1.0, 0.0425, 1.04, -0.04);
    vec4 r = roughness * c0 + c1;
    float a004 = min(r.x * r.x, exp2(-9.28 * ndv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    return f0 * ab.x + ab.y;
}

vec3 surroundings(vec3 world, vec3 direction, float roughness) {
    vec3 color;
    float level = environment.y * sqrt(roughness) * 0.9;
    if (environment.z > 0.5) color = sky_texel(direction, level);
    else color = studio(direction.z * (1.0 - 0.6 * roughness) ) * 2.0;
#ifdef GROUND
    float height = dot(ground_plane, vec4(world, 1.0));
    float fall = -dot(ground_plane.xyz, direction);
    float blur = 0.02 + 0.9 * roughness * roughness;
    float cover = smoothstep(-blur, blur, fall);
    if (cover > 0.0) {
        vec3 floor_color = ground_color.rgb;
#ifdef GROUND_TEXTURE
        float t = max(height, 0.0) / max(fall, 0.02);
        vec3 hit = world + direction * t;
        vec2 local = vec2(dot(ground_x.xyz, hit) - ground_x.w, dot(ground_y.xyz, hit) - ground_y.w);
        vec2 uv = vec2(0.5, -0.5) * ground_scale.xy * local - 0.5 + vec2(ground_scale.z, -ground_scale.w);
        vec2 texels = 0.5 * ground_scale.xy * vec2(textureSize(ground_map, 0));
        float footprint = t * (0.004 + roughness * roughness * 1.2) / max(fall, 0.05);
        floor_color *= textureLod(ground_map, uv, log2(max(footprint * max(texels.x, texels.y), 1.0))).rgb;
#endif
        color = mix(color, floor_color, cover * (1.0 - haze_amount(direction)));
    }
#endif
    return color * environment.x;
}
#endif

void main() {
    vec4 base = v_color;
#if defined(TEXTURE_2D) || defined(TEXTURE_CUBE)
    base *= texture(color_map, v_texcoord);
#endif
    vec3 n = normalize(v_normal);
    vec3 to_eye = viewer.xyz - v_world;
#ifdef TWO_SIDED
    if (!gl_FrontFacing) n = -n;
#endif
    vec3 v = viewer.w > 0.5 ? -viewer_forward.xyz : normalize(to_eye);

#ifdef PBR
    float metallic = v_extra.y, roughness = v_extra.z;
    float occlusion = 1.0;
    vec3 emitted = vec3(v_surface.x);
#ifdef LAYERS
    apply_layers(n, metallic, roughness, occlusion, emitted);
#endif
    roughness = clamp(roughness, 0.0, 1.0);
    float a = max(roughness * roughness, 0.002);
    float spread = max(a, 0.03);  // lamps have a size: a mirror still shows them
    float ndv = clamp(abs(dot(n, v)), 1e-3, 1.0);
    vec3 f0 = mix(vec3(0.04), base.rgb, metallic);
    vec3 albedo = base.rgb * (1.0 - metallic);
#else
    vec3 albedo = base.rgb;
    vec3 emitted = vec3(v_surface.x);
#endif

    vec3 diffuse = ambient.rgb, specular = vec3(0.0);
    for (int i = 0; i < counts.x; ++i) {
        vec3 l = -lights[i].direction.xyz;
        float ndl = max(dot(n, l), 0.0);
        float lit = 1.0;
#ifdef SHADOWS
        int index = int(lights[i].specular.w);
        if (index >= 0) lit = shadow_of(index, v_world, n);
#endif
        diffuse += lights[i].diffuse.rgb * (ndl * lit);
#ifdef PBR
        specular += lights[i].diffuse.rgb * lit * highlight(n, v, l, ndl, ndv, spread, f0);
#else
        float facing = ndl > 0.0 ? lit : 0.0;
        specular += lights[i].specular.rgb * (facing * highlight(n, v, l, v_surface.z));
#endif
    }
#ifdef LOCAL_LIGHTS
    for (int i = counts.x; i < counts.y; ++i) {
        vec3 to_light = lights[i].position.xyz - v_world;
        float d2 = max(dot(to_light, to_light), 1e-8);
        float inverse = inversesqrt(d2);
        vec3 l = to_light * inverse;
        float along = -dot(l, lights[i].direction.xyz);
        float rim = clamp((along - lights[i].direction.w) * lights[i].attenuation.w, 0.0, 1.0);
        if (lights[i].position.w > 1.5) rim = 1.0;
        if (rim > 0.0) {
            vec3 k = lights[i].attenuation.xyz;
            float factor = rim * rim * (3.0 - 2.0 * rim) / max(k.x + k.y * d2 * inverse + k.z * d2, 1e-4);
            if (lights[i].diffuse.w > 0.0) factor *= pow(max(along, 0.0), lights[i].diffuse.w);
            diffuse += lights[i].ambient.rgb * factor;
            float ndl = max(dot(n, l), 0.0);
#ifdef SHADOWS
            int index = int(lights[i].specular.w);
            if (index >= 0) factor *= shadow_of(index, v_world, n);
#endif
            diffuse += lights[i].diffuse.rgb * (ndl * factor);
#ifdef PBR
            specular += lights[i].diffuse.rgb * factor * highlight(n, v, l, ndl, ndv, spread, f0);
#else
            float facing = ndl > 0.0 ? factor : 0.0;
            specular += lights[i].specular.rgb * (facing * highlight(n, v, l, v_surface.z));
#endif
        }
    }
#endif

#ifdef PBR
    vec3 around = surroundings(v_world, reflect(-v, n), roughness);
    vec3 above = surroundings(v_world, n, 1.0);
    vec3 color = albedo * (diffuse + 0.25 * above * occlusion) + specular
        + environment_share(f0, roughness, ndv) * around * occlusion;
#else
    vec3 color = albedo * diffuse + 0.5 * v_surface.y * specular;
#endif
    color += albedo * emitted + base.rgb * v_extra.w;

#ifdef MIRROR
    float facing_mirror = dot(n, mirror_plane.xyz);
    if (facing_mirror > 0.99) color += v_surface.w * texture(mirror_map, gl_FragCoord.xy * viewport.zw).rgb;
#endif
#ifdef INFINITE
    color = mix(color, haze.rgb, haze_amount(to_eye));
#endif
#ifdef FOG
    float depth = dot(-to_eye, viewer_forward.xyz);
    color = mix(color, fog.rgb, clamp((depth - fog_range.x) * fog_range.y, 0.0, 1.0));
#endif
#ifdef BLEND
    out_color = vec4(color * base.a, base.a);
#else
    out_color = vec4(color, 1.0);
#endif
#ifdef NORMAL_OUTPUT
    out_normal = vec4(n, 1.0);
#endif
}
