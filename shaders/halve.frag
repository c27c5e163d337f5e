#version 410 core
// A mip level of an image, from the one before: means of the pixels that each of its pixels covers.
uniform sampler2D image_map;
uniform vec2 size;  // pixels of this level
out vec4 out_color;

void main() { out_color = textureLod(image_map, gl_FragCoord.xy / size, 0.0); }
