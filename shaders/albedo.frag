#version 410 core
// The colour of a surface with its texture, as an image holds it: without light.
#include "color.glsl"

in vec3 v_world;
in vec3 v_normal;
flat in vec4 v_color;
#if defined(TEXTURE_2D)
in vec2 v_texcoord;
uniform sampler2D color_map;
#elif defined(TEXTURE_CUBE)
in vec3 v_texcoord;
uniform samplerCube color_map;
#endif

layout(location = 0) out vec4 out_color;  // sRGB-encoded
#ifdef NORMAL_OUTPUT
layout(location = 1) out vec4 out_normal;
#endif

void main() {
    vec3 color = v_color.rgb;
#if defined(TEXTURE_2D) || defined(TEXTURE_CUBE)
    color *= texture(color_map, v_texcoord).rgb;
#endif
    out_color = vec4(encode(min(color, vec3(1.0))), 1.0);
#ifdef NORMAL_OUTPUT
    out_normal = vec4(normalize(v_normal), 1.0);
#endif
}
