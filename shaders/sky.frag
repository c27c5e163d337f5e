#version 410 core
// The background, with haze at the horizon and a trace of noise against banding.
#include "frame.glsl"
#include "color.glsl"
#include "sky.glsl"

in vec3 v_direction;
out vec4 out_color;

void main() {
    vec3 direction = normalize(v_direction);
#ifdef FOG
    vec3 color = fog.rgb;
#else
    vec3 color = sky_color(direction);
    color = mix(color, haze.rgb, haze_amount(direction));
#endif
#ifdef MIRROR_PASS
    out_color = vec4(sqrt(min(color, vec3(1.0))), 0.0);
#else
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    out_color = vec4(display(color) + noise / 255.0, 1.0);
#endif
}
