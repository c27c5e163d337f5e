#version 410 core
// The mean of 4 x 4 texels of one surface, in which occlusion.frag looks into all directions.
uniform sampler2D visibility_map;
out vec2 out_occlusion;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec2 here = texelFetch(visibility_map, texel, 0).rg, size = vec2(textureSize(visibility_map, 0));
    float most = 1.0 / (SAME_SURFACE * here.y);
    vec2 sum = vec2(0.0);
    for (int y = -1; y <= 1; y += 2) {
        for (int x = -1; x <= 1; x += 2) {
            vec2 corner = (vec2(texel) + vec2(x, y)) / size;
            vec4 part = textureGather(visibility_map, corner, 0), away = textureGather(visibility_map, corner, 1);
            vec4 share = max(1.0 - abs(away - here.y) * most, 0.0);
            sum += vec2(dot(share, part), dot(share, vec4(1.0)));
        }
    }
    out_occlusion = vec2(clamp(sum.y > 0.0 ? sum.x / sum.y : here.x, 0.0, 1.0), here.y);
}
