// The sum over the lamps that reach a point.
struct Received {
    vec3 shown;      // legacy diffuse light, sRGB-encoded
    vec3 highlight;  // legacy specular light, sRGB-encoded; only for materials that are not physically based
    vec3 diffuse;    // linear diffuse light
    vec3 specular;   // linear specular light, as the surface reflects it
};

// What a lamp has, in `traits` (engine/scene/lighting.py); where the compiler knows them, what is missing costs nothing.
#ifndef FAR_TRAITS
#define FAR_TRAITS (CONE | ATTENUATION | AMBIENT | HIGHLIGHT)
#endif
#ifndef NEAR_TRAITS
#define NEAR_TRAITS (CONE | ATTENUATION | AMBIENT | HIGHLIGHT)
#endif
bool has(int traits, int trait) { return (traits & trait) != 0; }

// Adds one lamp. l: towards it; lit: share of its light that arrives, shadows included; widened: by the bulb's radius.
void add_lamp(inout Received sum, Material m, int i, int traits, vec3 n, vec3 v, vec3 l, vec3 lit, float widened) {
    float ndl = max(dot(n, l), 0.0);
    if (ndl <= 0.0) return;
#ifdef PHOTOMETRIC
    if (lights[i].bulb.x > 0.5) {
        vec3 light = lights[i].diffuse.rgb * lit;
        sum.diffuse += light * ndl;
#ifdef PBR
        sum.specular += light * highlight(m, n, v, l, ndl, widened);
#else
        if (has(traits, HIGHLIGHT)) sum.specular += lights[i].specular.rgb * (lit * highlight(m, n, v, l));
#endif
        return;
    }
#endif
    vec3 light = lights[i].diffuse.rgb * lit;
    sum.shown += light * ndl;
#ifdef PBR
    sum.specular += LEGACY_HIGHLIGHT * decoded(light) * highlight(m, n, v, l, ndl, widened);
#else
    if (has(traits, HIGHLIGHT)) sum.highlight += lights[i].specular.rgb * (lit * highlight(m, n, v, l));
#endif
}

// The first view of a lamp's shadow.
int first_view(int i) { return int(lights[i].specular.w); }

// How many views it has.
int views_from(int first) {
#ifdef SHADOWS
    return 1 + int(shadow_bias[max(first, 0)].z);
#else
    return 0;
#endif
}

// Share of a lamp's light that no caster keeps away. open: of light from all around.
vec3 arriving(int first, int views, bool is_lamp, vec3 place, vec3 n, vec3 l, vec3 open) {
#ifdef SHADOWS
    if (first >= 0) return shadow_of(first, views, is_lamp, place, n, l);
#endif
#ifdef OCCLUSION
    if (first == FILL_LIGHT) return open;
#endif
    return vec3(1.0);
}

#ifdef LOCAL_LIGHTS
void add_local(inout Received sum, Material m, int i, int traits, int first, int views, vec3 place, vec3 n, vec3 v, vec3 open) {
    vec3 to_light = lights[i].position.xyz - place;
    float d2 = max(dot(to_light, to_light), 1e-8);
    float inverse = inversesqrt(d2);
    vec3 l = to_light * inverse;
    float factor = 1.0;
    if (has(traits, CONE)) {
        float along = -dot(l, lights[i].direction.xyz);
        float rim = clamp((along - lights[i].direction.w) * lights[i].attenuation.w, 0.0, 1.0);
        factor = rim * rim * (3.0 - 2.0 * rim);
        if (lights[i].diffuse.w > 0.0) factor *= pow(max(along, 1e-4), lights[i].diffuse.w);
        if (lights[i].position.w > 1.5) factor = 1.0;
        if (factor <= 0.0) return;
    }
    if (has(traits, ATTENUATION)) {
        vec3 k = lights[i].attenuation.xyz;
        factor /= max(k.x + k.y * d2 * inverse + k.z * d2, 1e-4);
    }
#ifdef PHOTOMETRIC
    if (lights[i].bulb.x > 0.5) {
        float reach = d2 * lights[i].bulb.y * lights[i].bulb.y;
        float window = clamp(1.0 - reach * reach, 0.0, 1.0);  // ends at the range (Lagarde and de Rousiers 2014)
        factor *= window * window / max(d2, lights[i].bulb.z * lights[i].bulb.z);
    } else
#endif
    if (has(traits, AMBIENT)) sum.shown += lights[i].ambient.rgb * factor;
    add_lamp(sum, m, i, traits, n, v, l, factor * arriving(first, views, true, place, n, l, open), 0.5 * lights[i].bulb.z * inverse);
}
#endif

#ifdef CLUSTERS
#include "clusters.glsl"
uniform usampler2D cluster_map;
uniform vec4 cluster_tile;    // pixels to tiles: scale xy, offset zw
uniform ivec4 cluster_count;  // tiles across and up, slices, first row of this viewer's clusters
uniform vec3 cluster_depths;

// A bit for each lamp that may reach a place.
uvec4 lamps_at(vec3 place) {
    ivec2 tile = ivec2(gl_FragCoord.xy * cluster_tile.xy + cluster_tile.zw);
    tile = clamp(tile, ivec2(0), cluster_count.xy - 1);
    int slice = slice_of(dot(place - viewer.xyz, viewer_forward.xyz), cluster_depths, cluster_count.z);
    return texelFetch(cluster_map, ivec2(tile.x + slice * cluster_count.x, tile.y + cluster_count.w), 0);
}
#endif

// Lamps that a program knows by their numbers: KNOWN_FAR, KNOWN_NEAR (renderer/passes/surfaces.py).
#define FAR(i, traits, first, views) add_far(sum, m, i, traits, first, views, place, n, v, open);
#define NEAR(i, traits, first, views) add_local(sum, m, i, traits, first, views, place, n, v, open);

void add_far(inout Received sum, Material m, int i, int traits, int first, int views, vec3 place, vec3 n, vec3 v, vec3 open) {
    vec3 l = -lights[i].direction.xyz;
    add_lamp(sum, m, i, traits, n, v, l, arriving(first, views, false, place, n, l, open), 0.0);
}

// open: share of the ambient light that arrives, sRGB-encoded.
Received lamps(Material m, vec3 place, vec3 n, vec3 v, vec3 open) {
    Received sum = Received(ambient.rgb * open, vec3(0.0), vec3(0.0), vec3(0.0));
#ifdef KNOWN_FAR
    KNOWN_FAR
#else
    for (int i = 0; i < counts.x; ++i) FAR(i, FAR_TRAITS, first_view(i), 2)
#endif
#ifdef CLUSTERS
    // one loop over all words: a software renderer does each loop's work at least once
    uvec4 reaching = lamps_at(place);
    while (any(notEqual(reaching, uvec4(0u)))) {
        int word = reaching.x != 0u ? 0 : reaching.y != 0u ? 1 : reaching.z != 0u ? 2 : 3;
        uint bits = word == 0 ? reaching.x : word == 1 ? reaching.y : word == 2 ? reaching.z : reaching.w;
        int i = counts.x + 32 * word + findLSB(bits), first = first_view(i);
        reaching -= (bits & (~bits + 1u)) * uvec4(equal(ivec4(word), ivec4(0, 1, 2, 3)));
        NEAR(i, NEAR_TRAITS, first, views_from(first))
    }
#elif defined(KNOWN_NEAR)
    KNOWN_NEAR
#elif defined(LOCAL_LIGHTS)
    for (int i = counts.x; i < counts.y; ++i) {
        int first = first_view(i);
        NEAR(i, NEAR_TRAITS, first, views_from(first))
    }
#endif
    return sum;
}
