#version 410 core
// The light of what shines by itself, in fewer texels. Alpha above 1 is the emitted part of a pixel's light.
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
uniform vec2 smaller;  // pixels of the scene for each texel
out vec4 out_color;

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec2 place = (gl_FragCoord.xy - 0.5 + 0.25 + 0.5 * vec2(i & 1, i >> 1)) * smaller;
        vec4 light = texelFetch(scene_color, ivec2(place), 0);
        sum += min(light.rgb, vec3(8.0)) * clamp(light.a - 1.0, 0.0, 1.0);
    }
    out_color = vec4(0.25 * sum, 1.0);
}
