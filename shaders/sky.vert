#version 410 core
// One triangle over the whole window, at the far end of the depth range.
uniform mat4 window_to_direction;
out vec3 v_direction;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_direction = (window_to_direction * vec4(corner, 1.0, 1.0)).xyz;
    gl_Position = vec4(corner, 1.0, 1.0);
}
