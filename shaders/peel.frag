#version 410 core
// Depth of the nearest transparent surface that is before everything opaque and, with BEHIND, behind the last layer.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_depth;
uniform SCENE_SAMPLER layer_depth;

const float STEP = 1.2e-7;  // two steps of a depth of 24 bits

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#if SAMPLES > 1
    int which = gl_SampleID;
#else
    const int which = 0;
#endif
    if (gl_FragCoord.z > texelFetch(scene_depth, pixel, which).r) discard;
#ifdef BEHIND
    if (gl_FragCoord.z <= texelFetch(layer_depth, pixel, which).r + STEP) discard;
#endif
}
