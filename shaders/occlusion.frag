#version 410 core
// Ambient occlusion from a depth image: the part of the light from all around that reaches each texel, by the horizons
// in a few directions (Jimenez et al. 2016, "Practical real-time strategies for accurate indirect occlusion").
#include "eye.glsl"

uniform vec3 reach;  // radius in metres, texels of a metre at a distance of 1, most texels

out vec2 out_occlusion;  // part that arrives, distance along the view in metres

const float LEAST = 1.5;    // texels: nothing nearer is looked at
const float FADE = 0.4;     // part of the radius in which occluders lose their effect
const float FLATNESS = 0.05;  // sine of the elevation below which neighbours count as the surface itself

// The difference to the neighbour that lies on the same surface; beyond the image's edge there is none.
vec3 nearer(vec3 a, vec3 b) {
    if (a.xy == vec2(0.0)) return b;
    return abs(a.z) < abs(b.z) || b.xy == vec2(0.0) ? a : b;
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy), last = textureSize(scene_depth, 0) - 1;
    if (texelFetch(scene_depth, texel, 0).r >= 1.0) {
        out_occlusion = vec2(1.0, FARTHEST);
        return;
    }
    vec2 size = vec2(last + 1);
    vec3 place = place_of(texel, size);
    out_occlusion = vec2(1.0, min(place.z, FARTHEST));
    float texels = min(reach.x * reach.y / (orthographic > 0.5 ? 1.0 : place.z), reach.z);
    if (texels < LEAST) return;
    float radius = texels * (orthographic > 0.5 ? 1.0 : place.z) / reach.y;

    ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
    vec3 across = nearer(place_of(min(texel + x, last), size) - place,
                         place - place_of(max(texel - x, ivec2(0)), size));
    vec3 upward = nearer(place_of(min(texel + y, last), size) - place,
                         place - place_of(max(texel - y, ivec2(0)), size));
    if (max(abs(across.z), abs(upward.z)) > radius) return;  // too thin for its slope to be seen
    vec3 normal = normalize(cross(upward, across));
    vec3 viewer = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : -normalize(place);
    if (dot(normal, viewer) < 0.0) normal = -normal;

    // 16 directions and 4 starts in each square of 4 x 4 texels, which occlusion_blur.frag averages
    int column = texel.x & 3, row = texel.y & 3;
    float turn = float(((column + row) & 3) * 4 + row) / 16.0;
    float start = float((row - column) & 3) / 4.0 + 0.125;
    float sum = 0.0;
    for (int slice = 0; slice < SLICES; ++slice) {
        float angle = (float(slice) + turn) * (PI / float(SLICES));
        vec2 along = vec2(cos(angle), sin(angle));
        vec3 direction = vec3(along, 0.0);
        vec3 tangent = direction - viewer * dot(direction, viewer);
        vec3 axis = normalize(cross(direction, viewer));
        vec3 flat_normal = normal - axis * dot(normal, axis);
        float projected = length(flat_normal);
        float cosine = clamp(dot(flat_normal, viewer) / max(projected, 1e-6), 0.0, 1.0);
        float tilt = dot(tangent, flat_normal) < 0.0 ? -arc_cosine(cosine) : arc_cosine(cosine);
        float tilt_sine = sin(tilt);
        // a horizon of the flat surface itself, a little raised
        vec2 lowest = vec2(tilt_sine, -tilt_sine) + FLATNESS;  // behind, ahead
        vec2 highest = lowest;
        for (int step = 0; step < STEPS; ++step) {
            float part = (float(step) + start) / float(STEPS);
            vec2 offset = along * (LEAST + (texels - LEAST) * part * part);
            ivec2 ahead = ivec2(floor(vec2(texel) + 0.5 + offset)), behind = ivec2(floor(vec2(texel) + 0.5 - offset));
            vec3 a = place_of(clamp(ahead, ivec2(0), last), size) - place;
            vec3 b = place_of(clamp(behind, ivec2(0), last), size) - place;
            float a_size = inversesqrt(max(dot(a, a), 1e-12)), b_size = inversesqrt(max(dot(b, b), 1e-12));
            float a_share = clamp((1.0 - 1.0 / (a_size * radius)) / FADE, 0.0, 1.0);
            float b_share = clamp((1.0 - 1.0 / (b_size * radius)) / FADE, 0.0, 1.0);
            highest.y = max(highest.y, mix(lowest.y, dot(a, viewer) * a_size, a_share));
            highest.x = max(highest.x, mix(lowest.x, dot(b, viewer) * b_size, b_share));
        }
        float back = -arc_cosine(min(highest.x - FLATNESS, 1.0)), front = arc_cosine(min(highest.y - FLATNESS, 1.0));
        sum += projected * 0.25 * (2.0 * cosine + 2.0 * (back + front) * tilt_sine
            - cos(2.0 * back - tilt) - cos(2.0 * front - tilt));
    }
    out_occlusion.x = sum / float(SLICES);  // above 1 in some directions of an inclined surface, 1 in their mean
}
