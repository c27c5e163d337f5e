#version 410 core
// The mean of 4 x 4 texels of one surface, `spread` texels apart.
#include "found.glsl"
uniform sampler2D scene_color;  // what was found on the screen
#ifdef REFLECTION
uniform sampler2D scene_normal;  // w: roughness
const float SHARPEST = 0.03;     // roughness up to which a mirror stays sharp
#endif
uniform int spread;
out vec4 out_light;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(scene_color, 0) - 1;
    out_light = texelFetch(scene_color, here, 0);
#ifdef REFLECTION
    vec2 place = gl_FragCoord.xy / vec2(last + 1), size = vec2(textureSize(scene_normal, 0));
    if (texelFetch(scene_normal, ivec2(place * size), 0).w <= SHARPEST) return;
#endif
    float away, there;
    vec4 found = from_texel(out_light, away), sum = vec4(0.0);
    float most = 1.0 / (SAME_SURFACE * away), weight = 0.0;
    for (int y = -2; y < 2; ++y) {
        for (int x = -2; x < 2; ++x) {
            ivec2 at = clamp(here + ivec2(x, y) * spread, ivec2(0), last);
            vec4 light = from_texel(texelFetch(scene_color, at, 0), there);
            float share = max(1.0 - abs(there - away) * most, 0.0);
            sum += share * light;
            weight += share;
        }
    }
    out_light = as_texel(weight > 0.0 ? sum / weight : found, away);
}
