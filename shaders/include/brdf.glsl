// How a surface reflects the light of a lamp (highlight) and of what is around it (environment_share).
#ifdef PBR
// GGX distribution, Smith visibility (Hammon's fit), Schlick's Fresnel; times pi, as lights give irradiance / pi
vec3 highlight(Material m, vec3 n, vec3 v, vec3 l, float ndl, float widened) {
    float a = min(max(m.lobe, 0.03) + widened, 1.0);  // lamps have a size: a mirror still shows them
    vec3 h = normalize(l + v);
    float ndh = clamp(dot(n, h), 0.0, 1.0), ldh = clamp(dot(l, h), 0.0, 1.0);
    float a2 = a * a;
    float d = ndh * ndh * (a2 - 1.0) + 1.0;
    float visibility = 0.5 / max(mix(2.0 * ndl * m.ndv, ndl + m.ndv, a), 1e-4);
    float k = 1.0 - ldh;
    float k2 = k * k;
    return (m.f0 + (1.0 - m.f0) * (k2 * k2 * k)) * (a2 / max(d * d, 1e-7) * visibility * ndl);
}

// Share of the light from around that a surface reflects: Karis's fit for mobile (2014), with the light that it reflects
// more than once (Fdez-Aguera 2019). again: the factor of the latter, for highlights.
vec3 environment_share(Material m, out vec3 again) {
    const vec4 c0 = vec4(-1.0, -0.0275, -0.572, 0.022), c1 = vec4(1.0, 0.0425, 1.04, -0.04);
    vec4 r = m.roughness * c0 + c1;
    float a004 = min(r.x * r.x, exp2(-9.28 * m.ndv)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    again = 1.0 + m.f0 * (1.0 / max(ab.x + ab.y, 0.1) - 1.0);
    return (m.f0 * ab.x + ab.y) * again;
}
#else
// Blinn 1977: legacy materials give its height (specular) and exponent (128 times shininess) apart.
float highlight(Material m, vec3 n, vec3 v, vec3 l) {
    return pow(max(dot(n, normalize(l + v)), 1e-4), m.exponent);
}
#endif
