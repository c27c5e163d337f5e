#version 410 core
// Light that surfaces in the picture send to each other. Each texel looks to both sides along a few lines; 32 bits stand for
// the angles of a half circle, and each bit takes the light of the first surface that covers it (Therrien et al. 2023,
// "Screen space indirect lighting with visibility bitmask"). Here an angle counts by its part of the sphere, so that the sum
// is the light on a matte surface.
#include "eye.glsl"
#include "found.glsl"
uniform sampler2D scene_color;   // light of the scene, with mip levels
uniform sampler2D scene_normal;  // in the world
uniform mat3 to_eye;             // directions of the world to those of eye.glsl
uniform vec2 texel;              // size of one in the image that is drawn, 0..1
uniform vec2 depth_range;        // nearest that is seen, thickness of what is seen, metres
uniform float intensity;
out vec4 out_light;

const float SECTORS = 32.0;
const float WIDEST = 1.0;  // of the image's height, that a texel looks to each side
const float STEEPEST = 10.0;  // metres in depth for each metre across, of what a texel stands for
const vec3 BRIGHTEST = vec3(16.0);  // light of a texel that counts: one lamp in a picture does not sparkle

struct Texel {
    vec3 place, normal, viewer;
    float tilt;  // angle of the normal from the viewer along the line
};

float angle_of(vec3 offset, vec3 viewer) { return arc_cosine(clamp(dot(normalize(offset), viewer), -1.0, 1.0)); }

// The point that `where` of the image shows of the plane of a surface at `place`; at most `reach` metres nearer or farther.
vec3 beside(vec3 place, vec3 n, vec2 where, float reach) {
    vec3 ray = seen_at(where, 1.0), start = vec3(0.0);
    if (orthographic > 0.5) {
        start = vec3(ray.xy, 0.0);
        ray = vec3(0.0, 0.0, 1.0);
    }
    float facing = dot(n, ray), z = abs(facing) > 1e-4 ? dot(n, place - start) / facing : place.z;
    return start + ray * clamp(z, place.z - reach, place.z + reach);
}

// Looks at a texel that stands for a part of the line, from `near` to `end` of the image, so many texels: marks the angles
// from the viewer that this covers; gives the light that it sends.
vec3 look(Texel from, ivec2 at, vec2 size, vec2 near, vec2 end, float texels, float side, inout uint taken) {
    float z = distance_at(at);
    if (z >= FARTHEST) return vec3(0.0);
    vec2 where = (vec2(at) + 0.5) / size;
    vec3 there = seen_at(where, z), offset = there - from.place;
    vec3 n = to_eye * texelFetch(scene_normal, at, 0).xyz;
    float far = length(offset), reach = STEEPEST * texels * (orthographic > 0.5 ? 1.0 : z) * frustum.w / size.y;
    if (far < 1e-6) return vec3(0.0);
    vec3 front = offset / far;
    vec2 ends = vec2(angle_of(beside(there, n, near, reach) - from.place, from.viewer),
                     angle_of(beside(there, n, end, reach) - from.place, from.viewer));
    float behind = angle_of(offset - from.viewer * depth_range.y, from.viewer);
    vec2 angles = vec2(min(ends.x, ends.y), max(max(ends.x, ends.y), behind));
    vec2 h = clamp((side * angles - from.tilt) / PI + 0.5, 0.0, 1.0);
    if (side < 0.0) h = h.yx;
    uint first = uint(min(h.x * SECTORS + 0.5, SECTORS)), beyond = uint(h.y * SECTORS + 0.5);
    if (beyond <= first) return vec3(0.0);
    uint covered = (0xFFFFFFFFu >> (32u - (beyond - first))) << first, fresh = covered & ~taken;
    taken |= covered;
    if (fresh == 0u) return vec3(0.0);
    float falls = dot(from.normal, front), sent = -dot(n, front);
    if (falls <= 0.0 || sent <= 0.0) return vec3(0.0);
    float cosine = dot(front, from.viewer);
    float part = float(bitCount(fresh)) * (PI / SECTORS) * sqrt(max(1.0 - cosine * cosine, 0.0)) * falls;
    return min(textureLod(scene_color, where, log2(max(0.5 * texels, 1.0))).rgb, BRIGHTEST) * part;
}

void main() {
    vec2 size = vec2(textureSize(scene_depth, 0));
    ivec2 last = ivec2(size) - 1, here = min(ivec2(gl_FragCoord.xy * texel * size), last);
    float z = distance_at(here);
    out_light = as_texel(vec4(0.0), min(z, FARTHEST));
    if (z >= FARTHEST) return;
    vec3 place = seen_at((vec2(here) + 0.5) / size, z);
    vec3 normal = to_eye * normalize(texelFetch(scene_normal, here, 0).xyz);
    vec3 viewer = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : -normalize(place);

    // 16 directions and starts in each square of 4 x 4 texels (points of Hammersley), which found_blur.frag averages
    int column = int(gl_FragCoord.x) & 3, row = int(gl_FragCoord.y) & 3, number = ((column + row) & 3) * 4 + row;
    float turn = float(number) / 16.0, start = (float(bitfieldReverse(number) >> 28 & 15) + 0.5) / 16.0;
    float reach = WIDEST * size.y;
    vec3 sum = vec3(0.0);
    for (int slice = 0; slice < RAYS; ++slice) {
        float angle = (float(slice) + turn) * (PI / float(RAYS));
        vec2 line = vec2(cos(angle), sin(angle));
        vec3 direction = vec3(line, 0.0), tangent = direction - viewer * dot(direction, viewer);
        vec3 axis = normalize(cross(direction, viewer)), flat_normal = normal - axis * dot(normal, axis);
        float cosine = clamp(dot(flat_normal, viewer) / max(length(flat_normal), 1e-6), 0.0, 1.0);
        float tilt = dot(tangent, flat_normal) < 0.0 ? -arc_cosine(cosine) : arc_cosine(cosine);
        Texel from = Texel(place, normal, viewer, tilt);
        uint taken = 0u;
        vec2 middle = vec2(here) + 0.5;
        float near = 1.0;
        for (int step = 0; step < STEPS; ++step) {
            // parts of the line without a gap between them; each is looked at somewhere in it
            vec2 part = (float(step) + vec2(start, 1.0)) / float(STEPS), far = 1.0 + (reach - 1.0) * part * part;
            ivec2 ahead = ivec2(floor(middle + line * far.x)), behind = ivec2(floor(middle - line * far.x));
            vec2 a = line * near, b = line * far.y;
            if (ahead == clamp(ahead, ivec2(0), last))
                sum += look(from, ahead, size, (middle + a) / size, (middle + b) / size, far.y - near, 1.0, taken);
            if (behind == clamp(behind, ivec2(0), last))
                sum += look(from, behind, size, (middle - a) / size, (middle - b) / size, far.y - near, -1.0, taken);
            near = far.y;
        }
    }
    out_light = as_texel(vec4(sum * (intensity / float(RAYS)), 1.0), z);
}
