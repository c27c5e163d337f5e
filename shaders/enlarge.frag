#version 410 core
// A picture of fewer pixels over a whole framebuffer.
uniform sampler2D scene_color;
uniform vec2 size;  // of the framebuffer, pixels
out vec4 out_color;

void main() {
    out_color = vec4(texture(scene_color, gl_FragCoord.xy / size).rgb, 1.0);
}
