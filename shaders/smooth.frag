#version 410 core
// Edges of the finished picture, smoothed (renderer/passes/smooth.py).
uniform sampler2D toned_map;
out vec4 out_color;

const float LEAST = 0.04, RELATIVE = 0.125;  // contrast that makes an edge: at all, and as a part of what is brightest
const float REACH = 8.0;                      // pixels along the edge
const vec3 WEIGHTS = vec3(0.299, 0.587, 0.114);

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(toned_map, 0) - 1;
    ivec2 low = max(pixel - 1, 0), high = min(pixel + 1, last);
    vec3 here = texelFetch(toned_map, pixel, 0).rgb;
    float middle = dot(here, WEIGHTS);
    float sw = dot(texelFetch(toned_map, low, 0).rgb, WEIGHTS);
    float ne = dot(texelFetch(toned_map, high, 0).rgb, WEIGHTS);
    float se = dot(texelFetch(toned_map, ivec2(high.x, low.y), 0).rgb, WEIGHTS);
    float nw = dot(texelFetch(toned_map, ivec2(low.x, high.y), 0).rgb, WEIGHTS);
    float darkest = min(middle, min(min(sw, se), min(nw, ne)));
    float brightest = max(middle, max(max(sw, se), max(nw, ne)));
    out_color = vec4(here, 1.0);
    // software renderers end a loop early, but run both sides of a branch
    int taps = brightest - darkest < max(LEAST, RELATIVE * brightest) ? 0 : 4;

    // the edge runs across the gradient of brightness
    vec2 along = vec2((sw + se) - (nw + ne), (se + ne) - (sw + nw));
    float damping = max(0.03125 * (sw + se + nw + ne), 1.0 / 128.0);  // no long steps where hardly anything changes
    along = clamp(along / (min(abs(along.x), abs(along.y)) + damping), -REACH, REACH) / vec2(last + 1);
    vec2 place = gl_FragCoord.xy / vec2(last + 1);
    vec3 sum = vec3(0.0), near;
    for (int i = 0; i < taps; ++i) {
        if (i == 2) near = sum;
        float aside = i < 2 ? 1.0 / 6.0 : 0.5;
        sum += texture(toned_map, place + ((i & 1) == 0 ? -aside : aside) * along).rgb;
    }
    if (taps == 0) return;
    float brightness = 0.25 * dot(sum, WEIGHTS);
    bool is_off = brightness < darkest || brightness > brightest;  // the far ones are beyond the end of the edge
    out_color.rgb = is_off ? 0.5 * near : 0.25 * sum;
}
