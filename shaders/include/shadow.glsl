// Soft shadows from one atlas of depth maps.
layout(std140) uniform Shadows {
    mat4 shadow_matrix[MAX_SHADOWS];
    vec4 shadow_tile[MAX_SHADOWS];   // corner xy and size zw in the atlas
    vec4 shadow_bounds[MAX_SHADOWS]; // part of the map that casters can cover
    vec4 shadow_bias[MAX_SHADOWS];   // x: normal offset in metres (per metre of distance for spots), y: 1 if a spot
    vec4 shadow_texel;  // size of the atlas and its inverse
};
uniform sampler2DShadow shadow_map;

// Part of the light that arrives. A box three texels wide slides over the map with the position; its four columns and
// rows weigh (1 - f, 1, 1, f), which four bilinear comparisons give exactly.
float shadow_of(int index, vec3 world, vec3 normal) {
    mat4 matrix = shadow_matrix[index];
    vec4 bias = shadow_bias[index];
    vec4 p = matrix * vec4(world, 1.0);
    p += mat3x4(matrix) * (normal * (bias.x * (bias.y > 0.5 ? p.w : 1.0)));
    vec3 q = p.xyz * (0.5 / p.w) + 0.5;
    vec4 bounds = shadow_bounds[index];
    bool inside = p.w > 0.0 && q.x > bounds.x && q.y > bounds.y && q.x < bounds.z && q.y < bounds.w;
    if (!inside) return 1.0;
    vec4 tile = shadow_tile[index];
    float z = min(q.z, 1.0);
    vec2 place = (tile.xy + q.xy * tile.zw) * shadow_texel.xy - 0.5;
    vec2 corner = floor(place);
    vec2 f = place - corner;
    vec2 low = 2.0 - f, high = 1.0 + f;
    vec2 a = (corner - 0.5 + 1.0 / low) * shadow_texel.zw;
    vec2 b = (corner + 1.5 + f / high) * shadow_texel.zw;
    float sum = low.x * low.y * texture(shadow_map, vec3(a, z));
    sum += high.x * low.y * texture(shadow_map, vec3(b.x, a.y, z));
    sum += low.x * high.y * texture(shadow_map, vec3(a.x, b.y, z));
    sum += high.x * high.y * texture(shadow_map, vec3(b, z));
    return sum * (1.0 / 9.0);
}
