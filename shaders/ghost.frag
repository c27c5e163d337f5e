#version 410 core
// The ghost of another model: one colour, denser where its surface turns away from the viewer.
in vec3 v_world;
in vec3 v_normal;

uniform vec4 viewer;          // eye, w = 1: orthographic
uniform vec4 viewer_forward;
layout(location = 0) out vec4 out_color;  // linear light, multiplied by alpha

const vec3 COLOR = vec3(0.20, 0.85, 0.75);
const float FACING = 0.30, AWAY = 0.85;

void main() {
    vec3 towards = viewer.w > 0.5 ? -viewer_forward.xyz : normalize(viewer.xyz - v_world);
    float facing = abs(dot(normalize(v_normal), towards));
    float alpha = mix(AWAY, FACING, facing);
    out_color = vec4(COLOR * (0.35 + 0.65 * facing) * alpha, alpha);
}
