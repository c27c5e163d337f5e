// The planar reflection, as a surface shows it.
#ifdef MIRROR
uniform sampler2D mirror_map;
uniform vec4 mirror_plane;
uniform float mirror_number;

// Light that a surface with normal n reflects, at reflectance 1, and how much of it comes from things rather than from
// the sky; none where it is not the plane that reflects.
vec4 mirrored(vec3 n, float roughness) {
    if (dot(n, mirror_plane.xyz) <= 0.99) return vec4(0.0);
    vec2 place = ON_SCREEN, margin = vec2(0.5) / (vec2(textureSize(mirror_map, 0)) * vec2(reflections.x, 1.0));
    float level = roughness * MIRROR_LEVELS;
    margin = min(margin * exp2(level), 0.5);
    place = clamp(place, margin, 1.0 - margin);
    return textureLod(mirror_map, vec2((place.x + mirror_number) * reflections.x, place.y), level);
}
#endif
