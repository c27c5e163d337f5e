// Ambient occlusion of the pixel, from an image that may have fewer pixels.
uniform sampler2D visibility_map;  // part of the light from all around that arrives, distance along the view

// The part that arrives at a surface `away` metres along the view, of the texels that show the same surface. A texel is
// the mean of a square whose middle is its corner.
float ambient_visibility(float away) {
    ivec2 count = textureSize(visibility_map, 0), last = count - 1;
    vec2 place = ON_SCREEN * vec2(count);
    ivec2 corner = ivec2(floor(place));
    vec2 f = place - vec2(corner), g = 1.0 - f;
    vec4 share = vec4(g.x * g.y, f.x * g.y, g.x * f.y, f.x * f.y) + 0.001;
    vec2 a = texelFetch(visibility_map, min(corner, last), 0).rg;
    vec2 b = texelFetch(visibility_map, min(corner + ivec2(1, 0), last), 0).rg;
    vec2 c = texelFetch(visibility_map, min(corner + ivec2(0, 1), last), 0).rg;
    vec2 d = texelFetch(visibility_map, min(corner + ivec2(1, 1), last), 0).rg;
    share /= abs(vec4(a.y, b.y, c.y, d.y) - away) + 0.002 * away;
    return dot(share, vec4(a.x, b.x, c.x, d.x)) / dot(share, vec4(1.0));
}

// Light that the surroundings reflect again: bright surfaces are darkened less (Jimenez et al. 2016, equation 10).
vec3 reflected_again(float part, vec3 albedo) {
    vec3 a = 2.0404 * albedo - 0.3324, b = 4.7951 * albedo - 0.6417, c = 2.7552 * albedo + 0.6903;
    return max(vec3(part), ((part * a - b) * part + c) * part);
}

// The part of a reflection that arrives (Lagarde and de Rousiers 2014, "Moving Frostbite to PBR").
float specular_visibility(float part, float ndv, float roughness) {
    return clamp(pow(ndv + part, exp2(-16.0 * roughness - 1.0)) - 1.0 + part, 0.0, 1.0);
}
