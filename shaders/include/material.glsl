// What a surface is made of at one point: of the instance, its colour texture and its layers.
struct Material {
    vec3 albedo;      // share of the light that it scatters
    vec3 emitted;     // light that it gives off; of legacy materials sRGB-encoded, in parts of the colour
#ifdef PBR
    vec3 f0;          // share of the light that it reflects, seen straight on
    float roughness;  // 0..1
    float lobe;       // squared roughness, with that of normals that vary within a pixel
    float occlusion;  // share of the light from around that arrives, as the material says
    float ndv;        // cosine of the angle between normal and viewer
#else
    vec3 shown;       // albedo, sRGB-encoded
    vec3 gloss;       // height of the highlight, sRGB-encoded
    float exponent;   // of the highlight
#endif
};

// base: colour; pattern: the texture's part of it; v: towards the viewer. Layers may bend n.
Material material_of(vec3 base, vec3 pattern, vec3 v, inout vec3 n) {
    Material m;
#ifdef PBR
    m.emitted = v_surface.x < 0.0 ? vec3(-1.0 - v_surface.x, v_surface.yz) : base * v_surface.x;
    float metallic = v_extra.y;
    m.roughness = v_extra.z;
    m.occlusion = 1.0;
#ifdef LAYERS
    apply_layers(n, metallic, m.roughness, m.occlusion, m.emitted);
#endif
    m.roughness = clamp(m.roughness, 0.0, 1.0);
    // Tokuyoshi and Kaplanyan 2019: highlights do not flicker where a pixel holds many normals
    vec3 dx = dFdx(n), dy = dFdy(n);
    float a = m.roughness * m.roughness;
    m.lobe = sqrt(a * a + min(0.5 * (dot(dx, dx) + dot(dy, dy)), 0.18));
    m.ndv = clamp(abs(dot(n, v)), 1e-3, 1.0);
    m.f0 = mix(vec3(0.04), base, metallic);
    m.albedo = base * (1.0 - metallic);
    m.emitted += base * v_extra.w;
#else
    m.albedo = base;
    m.shown = encoded(v_color.rgb);
    m.gloss = vec3(v_surface.y);
    m.exponent = v_surface.z;
#ifdef CURVED
    // A highlight that is smaller than a pixel does not flicker: it is as wide and as faint as the mean over the normals of
    // the pixel (Toksvig 2005). The constants are those with which it is, as far as sums of sRGB-encoded light can be.
    vec3 dx = dFdx(n), dy = dFdy(n);
    float kept = 1.0 / (1.0 + (0.5 * m.exponent + 1.0) * min((dot(dx, dx) + dot(dy, dy)) / 8.0, 0.18));
    m.gloss *= pow(kept, 0.7);
    m.exponent = max((m.exponent + 2.0) * kept - 2.0, 0.0);
#endif
#ifdef TEXTURED
    vec3 texel = encoded(pattern);  // a legacy texture dims the highlight too
    m.shown *= texel;
    m.gloss *= texel;
#endif
#ifdef CUT
    m.shown = encoded(base);
#endif
    m.emitted = vec3(v_surface.x + v_extra.w);
#endif
    return m;
}

#ifdef BLOOM
// Which part of a colour is light that the surface gives off: only what shines brightly counts.
float glowing(Material m, vec3 color) {
#ifdef PBR
    vec3 emitted = m.emitted;
    float level = max(emitted.r, max(emitted.g, emitted.b));
#else
    vec3 emitted = decoded(m.shown * v_surface.x);
    float level = v_surface.x;
#endif
    const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);
    float part = min(dot(emitted, LUMINANCE) / max(dot(color, LUMINANCE), 1e-4), 1.0);
    return part * smoothstep(GLOWING, 1.0, level);
}
#endif
