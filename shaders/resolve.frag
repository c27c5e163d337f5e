#version 410 core
// The mean of a pixel's samples.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(scene_color, pixel, 0);
#if SAMPLES > 1
    for (int i = 1; i < SAMPLES; ++i) sum += texelFetch(scene_color, pixel, i);
    sum *= 1.0 / float(SAMPLES);
#endif
    out_color = sum;
}
