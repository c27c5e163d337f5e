#version 410 core
// Distances as grey: white at the eye, half at depth_scale, black where nothing is.
uniform sampler2D scene_depth;
uniform float depth_scale;  // m
out vec4 out_color;

void main() {
    float distance = texelFetch(scene_depth, ivec2(gl_FragCoord.xy), 0).r;
    out_color = vec4(vec3(isinf(distance) ? 0.0 : depth_scale / (depth_scale + distance)), 1.0);
}
