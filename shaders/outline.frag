#version 410 core
// The outline around a silhouette: a coloured line with a dark edge, so that it stands out on every colour; fainter
// where something hides the shape. Channels of the silhouette: shape, its seen part, the primary object's, marks.
uniform sampler2D silhouette_map;
uniform vec3 line_color;  // as the screen shows it
uniform vec2 breadth;     // of the line, and of the edge, in pixels
out vec4 out_color;  // multiplied by alpha

const float HIDDEN = 0.45, OTHERS = 0.6, EDGE = 0.65, MARK_EDGE = 0.75, VEIL = 0.12;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(silhouette_map, 0) - 1;
    vec4 here = texelFetch(silhouette_map, pixel, 0);
    vec3 near = vec3(0.0);
    float around = 0.0, mark = 0.0;
    for (int y = -REACH; y <= REACH; ++y) {
        for (int x = -REACH; x <= REACH; ++x) {
            float away = length(vec2(x, y));
            if (away > float(REACH) + 0.5) continue;
            vec4 there = texelFetch(silhouette_map, clamp(pixel + ivec2(x, y), ivec2(0), last), 0);
            near = max(near, there.rgb * clamp(breadth.x + 0.5 - away, 0.0, 1.0));
            around = max(around, there.r * clamp(breadth.x + breadth.y + 0.5 - away, 0.0, 1.0));
            mark = max(mark, there.a * clamp(breadth.y + 0.5 - away, 0.0, 1.0));
        }
    }
    float outside = 1.0 - here.r, free = 1.0 - here.a;
    float seen = mix(HIDDEN, 1.0, near.r > 0.0 ? near.g / near.r : 0.0);
    float strength = mix(OTHERS, 1.0, near.r > 0.0 ? near.b / near.r : 0.0) * seen;
    float line = max(near.r * outside * strength, VEIL * max(here.r - here.g, 0.0)) * free;
    float edge = max(EDGE * around * outside * seen * step(0.004, around), MARK_EDGE * mark) * free;
    float alpha = line + edge * (1.0 - line);
    out_color = vec4(line_color * line, alpha);
}
