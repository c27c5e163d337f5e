#version 410 core
// Distance in metres and normal of each pixel's nearest sample.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_depth;
uniform SCENE_SAMPLER scene_normal;
uniform vec4 depth_rows;  // the projection's rows for z and w, their last two columns

layout(location = 0) out float out_distance;
layout(location = 1) out vec4 out_normal;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float nearest = texelFetch(scene_depth, pixel, 0).r;
    int which = 0;
#if SAMPLES > 1
    for (int i = 1; i < SAMPLES; ++i) {
        float depth = texelFetch(scene_depth, pixel, i).r;
        if (depth < nearest) {
            nearest = depth;
            which = i;
        }
    }
#endif
    float z = 2.0 * nearest - 1.0;
    float along = (z * depth_rows.w - depth_rows.y) / (depth_rows.x - z * depth_rows.z);
    out_distance = nearest < 1.0 ? -along : uintBitsToFloat(0x7F800000u);
    vec4 normal = texelFetch(scene_normal, pixel, which);
    out_normal = nearest < 1.0 ? normal : vec4(0.0);
}
