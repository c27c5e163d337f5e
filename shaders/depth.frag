#version 410 core
// Shadow casters. Transparent ones leave out pixels in a pattern of 2 x 2, which the soft edge averages.
flat in float v_alpha;

void main() {
#ifdef BLEND
    ivec2 pixel = ivec2(gl_FragCoord.xy) & 1;
    float threshold = (float((pixel.x ^ pixel.y) * 2 + pixel.y) + 0.5) * 0.25;
    if (v_alpha < threshold) discard;
#endif
}
