#version 410 core
// What a triangle behind the section plane says about the meshes that a point of the plane is in: one less at a front
// face, one more at a back face; with the mesh's number and its square.
flat in float v_number;

layout(location = 0) out vec4 out_count;

void main() {
    float leaves = gl_FrontFacing ? -1.0 : 1.0;
    out_count = leaves * vec4(1.0, v_number, v_number * v_number, 0.0);
}
