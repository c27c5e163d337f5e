#version 410 core
// The background.
#include "frame.glsl"
#include "sky.glsl"

in vec3 v_direction;
out vec4 out_color;

#ifdef MIRROR_PASS
uniform vec4 mirror_plane;

// Share of the sky that a glossy surface reflects: little from above, more at a grazing angle. After Schlick 1994, but
// steeper: the colours of floors stay as their authors chose them.
float gloss(float facing) {
    float graze = 1.0 - clamp(facing, 0.0, 1.0);
    float g2 = graze * graze;
    return 0.6 * g2 * g2 * g2;
}
#endif

void main() {
    vec3 direction = normalize(v_direction);
#ifdef FOG
    vec3 color = fog.rgb;
#else
    vec3 color = sky_color(direction);
#endif
#ifdef MIRROR_PASS
    out_color = vec4(gloss(dot(mirror_plane.xyz, direction)) * color, 0.0);
#else
    out_color = vec4(color, 1.0);
#endif
}
