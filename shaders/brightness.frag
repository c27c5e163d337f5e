#version 410 core
// Logarithm of the brightness, in few texels.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
uniform vec2 smaller;  // pixels of the scene for each texel
out vec4 out_color;

void main() {
    float sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 place = (gl_FragCoord.xy - 0.25 + 0.5 * vec2(i & 1, i >> 1)) * smaller;
        vec3 light = min(texelFetch(scene_color, ivec2(place), 0).rgb, vec3(1e4));
        sum += log2(max(dot(light, vec3(0.2126, 0.7152, 0.0722)), 1e-3));
    }
    out_color = vec4(0.25 * sum);
}
