#version 410 core
// Glass in a shadow map: the light that it lets through (multiplied by what is there), and its depth (the least stays).
flat in vec4 v_color;
out vec4 out_tint;

void main() {
    vec3 through = mix(vec3(1.0), sqrt(v_color.rgb), v_color.a) * (1.0 - 0.5 * v_color.a);  // encoded, as lights are
    out_tint = vec4(through, gl_FragCoord.z);
}
