#version 410 core
// Marks over the scene: their own colour, without light.
flat in vec4 v_color;

uniform float opacity;
layout(location = 0) out vec4 out_color;  // linear light

void main() {
    out_color = vec4(v_color.rgb, v_color.a * opacity);
}
