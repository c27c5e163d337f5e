#version 410 core
// Flat colours, one per drawn object: its number + 1 in three bytes, or colours that are easy to tell apart.
#include "frame.glsl"
flat in float v_segment;
in vec3 v_world;
in vec3 v_normal;
flat in vec4 v_color;
flat in vec4 v_surface;
flat in vec4 v_extra;

uniform int id_color;
uniform vec4 viewer;  // eye, w = 1: orthographic
uniform vec4 viewer_forward;
layout(location = 0) out vec4 out_color;
#ifdef NORMAL_OUTPUT
layout(location = 1) out vec4 out_normal;
#endif

// Halton's sequence (1960): well spread values for neighbouring numbers
float halton(int index, int radix) {
    float result = 0.0, share = 1.0 / float(radix);
    for (int i = index; i > 0; i /= radix) {
        result += share * float(i % radix);
        share /= float(radix);
    }
    return result;
}

#include "section.glsl"

void main() {
#ifdef CUT
    vec3 place = v_world, n = v_normal;
    vec4 base = v_color;
    show_cut(place, n, base);  // its depth
#endif
    int id = int(v_segment + 0.5);
    if (id_color != 0) {
        int code = id + 1;
        out_color = vec4(vec3(code & 255, (code >> 8) & 255, (code >> 16) & 255) / 255.0, 1.0);
    } else {
        out_color = vec4(0.1 + 0.8 * vec3(halton(id + 10, 2), halton(id + 10, 3), halton(id + 10, 5)), 1.0);
    }
#ifdef NORMAL_OUTPUT
    out_normal = vec4(normalize(v_normal), 1.0);
#endif
}
