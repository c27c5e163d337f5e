#version 410 core
// Glow: levels of the emitted light, each read at four places half a texel aside, so that no texel shows.
uniform sampler2D bloom_map;
out vec4 out_color;

void main() {
    vec2 side = vec2(textureSize(bloom_map, 0));
    vec2 place = gl_FragCoord.xy / side;
    vec3 sum = vec3(0.0);
    for (int level = 0; level < LEVELS; ++level) {
        vec2 aside = 0.5 * exp2(float(level)) / side;
        for (int i = 0; i < 4; ++i)
            sum += textureLod(bloom_map, place + aside * (2.0 * vec2(i & 1, i >> 1) - 1.0), float(level)).rgb;
    }
    out_color = vec4(sum / float(4 * LEVELS), 1.0);
}
