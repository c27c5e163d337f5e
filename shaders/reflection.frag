#version 410 core
// What glossy surfaces reflect of the rest of the picture: a ray for each texel goes over the depth image in steps that get
// longer, and the step in which it passes behind something is halved until its place is known (McGuire and Mara 2014,
// "Efficient GPU screen-space ray tracing"). Rough surfaces read smaller mip levels, the farther away the smaller.
#include "eye.glsl"
#include "found.glsl"
uniform sampler2D scene_color;   // light of the scene, with mip levels
uniform sampler2D scene_normal;  // in the world; w: roughness, below 0 of what reflects nothing
uniform mat3 to_eye;             // directions of the world to those of eye.glsl
uniform vec2 texel;              // size of one in the image that is drawn, 0..1
uniform vec2 depth_range;        // nearest that is seen, thickness of what is seen, metres
out vec4 out_light;

const int HALVINGS = 6;
const float EDGE = 0.1;          // part of the image at each side in which reflections fade out
const float MOST_OF_LOBE = 0.9;  // the rest is too wide to be seen
const float START = 1.5;         // texels that a ray starts above its surface
const vec2 FACING = vec2(-0.3, 0.0);  // cosine to the surface that is hit, from which on it is seen at all and wholly

const float MOST_BEND = 0.08;    // of normals from texel to texel: smaller balls show too much in too little space

// Where a place is on the image, and what is linear along a line there: the inverse of z (orthographic: z).
vec3 on_image(vec3 p) {
    if (orthographic > 0.5) return vec3((p.xy - frustum.xy) / frustum.zw, p.z);
    return vec3((p.xy / p.z - frustum.xy) / frustum.zw, 1.0 / p.z);
}

// How much the surface bends within a texel: a curved mirror shows much in little space.
float bend_at(ivec2 here, ivec2 last, vec3 n) {
    float sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        ivec2 aside = ivec2(1 - i, i);
        vec3 a = texelFetch(scene_normal, min(here + aside, last), 0).xyz - n;
        vec3 b = texelFetch(scene_normal, max(here - aside, ivec2(0)), 0).xyz - n;
        sum += min(dot(a, a), dot(b, b));  // the other one may be of another surface
    }
    return sum;
}

float z_of(vec3 p) { return orthographic > 0.5 ? p.z : 1.0 / max(p.z, 1e-6); }

void main() {
    vec2 size = vec2(textureSize(scene_depth, 0));
    ivec2 last = ivec2(size) - 1, here = min(ivec2(gl_FragCoord.xy * texel * size), last);
    float z = distance_at(here);
    vec4 surface = texelFetch(scene_normal, here, 0);
    out_light = as_texel(vec4(0.0), FARTHEST);  // nothing for others to mix in
    if (z >= FARTHEST || surface.w < 0.0) return;
    out_light = as_texel(vec4(0.0), z);
    float bend = sqrt(bend_at(here, last, surface.xyz));
    if (surface.w >= ROUGHEST || bend >= MOST_BEND) return;

    vec3 n = to_eye * normalize(surface.xyz);
    vec3 place = seen_at((vec2(here) + 0.5) / size, z);
    // 16 texels of a square together look along the whole lobe (GGX); found_blur.frag averages them
    int column = int(gl_FragCoord.x) & 3, row = int(gl_FragCoord.y) & 3;
    float turn = 2.0 * PI * float(((column + row) & 3) * 4 + row) / 16.0, u = MOST_OF_LOBE * (float((row - column) & 3) + 0.5) / 4.0;
    float a2 = surface.w * surface.w, slope = a2 * sqrt(u / (1.0 - u));
    vec3 side = normalize(cross(n, abs(n.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    vec3 facet = normalize(n + slope * (side * cos(turn) + cross(n, side) * sin(turn)));
    vec3 ray = reflect(orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(place), facet);
    if (dot(ray, n) <= 0.0) return;
    float metres = frustum.w / size.y * (orthographic > 0.5 ? 1.0 : z);  // of a texel
    vec3 start = place + n * (START * metres);
    float far = 100.0 * max(z, 10.0 * depth_range.y);
    if (ray.z < 0.0) far = min(far, 0.99 * (start.z - depth_range.x) / -ray.z);
    vec3 a = on_image(start), along = on_image(start + ray * far) - a;
    vec2 most = mix(a.xy, 1.0 - a.xy, greaterThan(along.xy, vec2(0.0))) / max(abs(along.xy), vec2(1e-6));
    along *= min(min(most.x, most.y), 1.0);
    float texels = length(along.xy * size);
    if (texels < 2.0) return;

    float before = 0.0, z_before = start.z;
    for (int i = 1; i <= STEPS; ++i) {
        float part = float(i) / float(STEPS), t = max(mix(part * part, part, 0.6), float(i) / texels);
        if (t > 1.0) return;
        vec3 p = a + along * t;
        float z_ray = z_of(p), there = distance_at(clamp(ivec2(p.xy * size), ivec2(0), last));
        if (max(z_ray, z_before) > there && min(z_ray, z_before) < there + depth_range.y) {
            float low = before, high = t;
            if (z_ray <= there) {  // it came from behind
                low = t;
                high = before;
            }
            for (int k = 0; k < HALVINGS; ++k) {
                float middle = 0.5 * (low + high);
                p = a + along * middle;
                if (z_of(p) > distance_at(clamp(ivec2(p.xy * size), ivec2(0), last))) high = middle; else low = middle;
            }
            p = a + along * high;
            ivec2 hit = clamp(ivec2(p.xy * size), ivec2(0), last);
            there = distance_at(hit);
            z_ray = z_of(p);
            float facing = -dot(to_eye * texelFetch(scene_normal, hit, 0).xyz, ray);
            float behind = (z_ray - there) / depth_range.y;
            if (behind >= 0.0 && behind < 1.0) {
                if (facing <= FACING.x) return;  // its other side is not in the picture
                vec2 inside = min(p.xy, 1.0 - p.xy);
                float share = smoothstep(0.0, EDGE, min(inside.x, inside.y)) * smoothstep(FACING.x, FACING.y, facing)
                    * (1.0 - smoothstep(0.6 * ROUGHEST, ROUGHEST, surface.w)) * (1.0 - smoothstep(0.5, 1.0, behind))
                    * (1.0 - smoothstep(0.3 * MOST_BEND, MOST_BEND, bend));
                float lobe = sqrt(0.1 * a2 * a2 + 0.2 * bend * bend);  // of one of the 16
                float across = lobe * length(seen_at(p.xy, there) - place) * size.y / frustum.w;
                if (orthographic < 0.5) across /= there;
                vec3 light = textureLod(scene_color, p.xy, log2(max(across, 1.0))).rgb;
                out_light = as_texel(vec4(light, 1.0) * share, z);
                return;
            }
        }
        before = t;
        z_before = z_ray;
    }
}
