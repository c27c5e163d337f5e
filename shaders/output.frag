#version 410 core
// Linear light to what the screen shows; with NUMBERS, colours that stand for numbers, as they are.
#include "color.glsl"
#include "samples.glsl"

uniform SCENE_SAMPLER scene_color;
uniform float exposure;  // factor on the light
#ifdef BLOOM
uniform sampler2D bloom_map;
const float GLOW = 0.35;  // brightness of the glow on what shines, in parts of its light
#endif
#ifdef AUTO_EXPOSURE
uniform sampler2D brightness_map;
const float GREY_CARD = 0.16;  // mean brightness of the picture
#endif
out vec4 out_color;

const vec3 BRIGHTEST = vec3(1e9);  // in place of infinity

// Light of a pixel as the camera gets it, of that which the scene sends.
vec3 exposed(vec3 light) {
#ifdef BLOOM
    light += GLOW * texture(bloom_map, gl_FragCoord.xy / SCENE_SIZE).rgb;
#endif
    float factor = exposure;
#ifdef AUTO_EXPOSURE
    factor *= clamp(GREY_CARD * exp2(-textureLod(brightness_map, vec2(0.5), 16.0).r), 0.0625, 16.0);
#endif
    return min(light * factor, BRIGHTEST);
}

#ifdef ALPHA
// Colour and alpha of a pixel: what a transparent picture shows over any background.
vec4 resolved(ivec2 pixel) {
    vec4 sum = vec4(0.0);
    const int COUNT = SAMPLES > 1 ? SAMPLES : 1;
    for (int i = 0; i < COUNT; ++i) {
        vec4 part = texelFetch(scene_color, pixel, i);  // multiplied by alpha
        part.a = min(part.a, 1.0);
        if (part.a > 0.0) sum += vec4(tone(exposed(part.rgb / part.a)) * part.a, part.a);
    }
    return vec4(sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.0), sum.a / float(COUNT));
}
#endif

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float alpha = 1.0;
#ifdef NUMBERS
    vec3 color = texelFetch(scene_color, pixel, 0).rgb;
#elif defined(ALPHA)
    vec4 found = resolved(pixel);
    vec3 color = found.rgb;
    alpha = found.a;
#elif SAMPLES > 1
    vec3 light[SAMPLES];
    vec3 color = vec3(0.0), most = vec3(0.0);
    for (int i = 0; i < SAMPLES; ++i) {
        light[i] = exposed(texelFetch(scene_color, pixel, i).rgb);
        color += light[i];
        most = max(most, light[i]);
    }
    if (max(most.r, max(most.g, most.b)) > TONE_UNCHANGED) {
        color = vec3(0.0);
        for (int i = 0; i < SAMPLES; ++i) color += tone(light[i]);
    }
    color *= 1.0 / float(SAMPLES);
#else
    vec3 color = tone(exposed(texelFetch(scene_color, pixel, 0).rgb));
#endif
#ifndef NUMBERS
    // noise of one level of an 8-bit screen hides the steps of smooth gradients (interleaved gradient noise, Jimenez 2014)
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = encode(color) + noise / 255.0;
#endif
    out_color = vec4(color, alpha);
}
