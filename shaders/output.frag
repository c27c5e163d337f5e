#version 410 core
// Linear light to what the screen shows; with NUMBERS, colours that stand for numbers, as they are.
#include "color.glsl"
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
uniform float exposure;  // factor on the light
out vec4 out_color;

const vec3 BRIGHTEST = vec3(1e9);  // in place of infinity

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#ifdef NUMBERS
    vec3 color = texelFetch(scene_color, pixel, 0).rgb;
#elif SAMPLES > 1
    vec3 light[SAMPLES];
    vec3 color = vec3(0.0), most = vec3(0.0);
    for (int i = 0; i < SAMPLES; ++i) {
        light[i] = min(texelFetch(scene_color, pixel, i).rgb * exposure, BRIGHTEST);
        color += light[i];
        most = max(most, light[i]);
    }
    if (max(most.r, max(most.g, most.b)) > TONE_UNCHANGED) {
        color = vec3(0.0);
        for (int i = 0; i < SAMPLES; ++i) color += tone(light[i]);
    }
    color *= 1.0 / float(SAMPLES);
#else
    vec3 color = tone(min(texelFetch(scene_color, pixel, 0).rgb * exposure, BRIGHTEST));
#endif
#ifndef NUMBERS
    // noise of one level of an 8-bit screen hides the steps of smooth gradients (interleaved gradient noise, Jimenez 2014)
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = encode(color) + noise / 255.0;
#endif
    out_color = vec4(color, 1.0);
}
