#version 410 core
// Linear light to what the screen shows; with NUMBERS, colours that stand for numbers, as they are.
#include "color.glsl"
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
uniform float exposure;  // factor on the light
out vec4 out_color;

vec3 shown(int which) {
    vec3 color = min(texelFetch(scene_color, ivec2(gl_FragCoord.xy), which).rgb, vec3(65504.0));  // no infinity
#ifdef NUMBERS
    return color;
#else
    return tone(color * exposure);
#endif
}

void main() {
    vec3 color = shown(0);
#if SAMPLES > 1
    for (int i = 1; i < SAMPLES; ++i) color += shown(i);
    color *= 1.0 / float(SAMPLES);
#endif
#ifndef NUMBERS
    // noise of one level of an 8-bit screen hides the steps of smooth gradients (interleaved gradient noise, Jimenez 2014)
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = encode(color) + noise / 255.0;
#endif
    out_color = vec4(color, 1.0);
}
