#version 410 core
// The share of a pixel's samples that the mask covers, in each channel.
#include "samples.glsl"

uniform SCENE_SAMPLER mask_map;
out vec4 out_share;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 share = texelFetch(mask_map, pixel, 0);
#if SAMPLES > 1
    for (int i = 1; i < SAMPLES; ++i) share += texelFetch(mask_map, pixel, i);
    share *= 1.0 / float(SAMPLES);
#endif
    out_share = share;
}
