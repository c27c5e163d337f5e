#version 410 core
// Which lamps may reach a cluster: a bit for each.
#include "frame.glsl"
#include "lights.glsl"
#include "clusters.glsl"

uniform vec3 eye;
uniform mat3 axes;      // right, up, forward
uniform vec4 frustum;   // left, bottom, width, height of the window at depth 1, or at any if it is orthographic
uniform ivec3 grid;     // tiles across and up, slices
uniform vec4 depths;    // see slice_of; w: where the last slice ends
uniform int first_row;  // of this viewer's clusters

out uvec4 out_lamps;

const float ROUNDING = 1.001;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy) - ivec2(0, first_row);
    int slice = texel.x / grid.x;
    vec2 tile = vec2(texel.x - slice * grid.x, texel.y);
    float near = slice == 0 ? (depths.z > 0.5 ? -depths.w : 0.0) : slice_depth(slice, depths.xyz) / ROUNDING;
    float far = slice == grid.z - 1 ? depths.w : slice_depth(slice + 1, depths.xyz) * ROUNDING;
    vec2 from = frustum.xy + frustum.zw * (tile - 0.001) / vec2(grid.xy);
    vec2 to = frustum.xy + frustum.zw * (tile + 1.001) / vec2(grid.xy);
    vec2 wide = depths.z > 0.5 ? vec2(1.0) : vec2(near, far);
    vec3 low = vec3(min(from * wide.x, from * wide.y), near), high = vec3(max(to * wide.x, to * wide.y), far);
    vec3 middle = 0.5 * (low + high);
    float radius = 0.5 * length(high - low);

    out_lamps = uvec4(0u);
    for (int i = counts.x; i < counts.y; ++i) {
        vec3 lamp = (lights[i].position.xyz - eye) * axes;
        float reach = lights[i].bulb.w;
        vec3 gap = max(max(low - lamp, lamp - high), 0.0);
        bool reaches = reach <= 0.0 || dot(gap, gap) <= reach * reach;
        float cosine = lights[i].direction.w;
        if (reaches && lights[i].position.w < 0.5 && cosine > 0.0) {
            // the ball around the cluster and the cone of a spot
            vec3 away = middle - lamp;
            float along = dot(away, lights[i].direction.xyz * axes);
            float aside = sqrt(max(dot(away, away) - along * along, 0.0));
            reaches = along > -radius && cosine * aside - along * sqrt(1.0 - cosine * cosine) <= radius;
        }
        int bit = i - counts.x;
        if (reaches) out_lamps[bit >> 5] |= 1u << (bit & 31);
    }
}
