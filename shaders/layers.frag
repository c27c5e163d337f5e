#version 410 core
// Transparent layers over the scene, sample by sample.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
out vec4 out_color;  // linear light, multiplied by alpha

void main() {
#if SAMPLES > 1
    out_color = texelFetch(scene_color, ivec2(gl_FragCoord.xy), gl_SampleID);
#else
    out_color = texelFetch(scene_color, ivec2(gl_FragCoord.xy), 0);
#endif
}
