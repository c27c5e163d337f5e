// Shadows from one atlas of depth maps. A view is a light's look at the scene to one side (renderer/passes/shadow.py).
layout(std140) uniform Shadows {
    mat4 shadow_matrix[MAX_SHADOWS];
    vec4 shadow_tile[MAX_SHADOWS];    // corner xy and size zw in the atlas
    vec4 shadow_bounds[MAX_SHADOWS];  // part of the map that casters can cover
    // x: normal offset in metres (of lamps: per metre of distance), y: 1 for lamps, z: views that follow, w: texels of a side
    vec4 shadow_bias[MAX_SHADOWS];
    // x, y: least and most depth; z: width (of lamps: at distance 1); w: radius of a lamp, tangent of half a sun's angle
    vec4 shadow_range[MAX_SHADOWS];
    vec4 shadow_texel;  // size of the atlas and its inverse
};
uniform sampler2DShadow shadow_map;
#ifdef SOFT_SHADOWS
uniform sampler2D shadow_depth;  // the same atlas, its depths as they are
#endif
#ifdef TINTED_SHADOWS
uniform sampler2D shadow_tint;   // light that glass lets through, and the depth of the nearest glass
#endif

// Which face of a cube a direction passes.
int face_of(vec3 d) {
    vec3 a = abs(d);
    if (a.x >= a.y && a.x >= a.z) return d.x > 0.0 ? 0 : 1;
    if (a.y >= a.z) return d.y > 0.0 ? 2 : 3;
    return d.z > 0.0 ? 4 : 5;
}

// A place in a view, 0..1: right, up, depth; w: distance from the lamp.
vec4 on_map(vec4 p) { return vec4(p.xyz * (0.5 / p.w) + 0.5, p.w); }

// One view. A value that is read once by a number that the compiler knows is one for all pixels: a software renderer
// reads it for each where the number is found by a loop.
struct View {
    mat4 matrix;
    vec4 tile, bounds, bias, range;
};

View view_of(int index) {
    return View(shadow_matrix[index], shadow_tile[index], shadow_bounds[index], shadow_bias[index], shadow_range[index]);
}

// A place in a view, moved along its normal against acne.
vec4 seen_in(View view, bool is_lamp, vec3 world, vec3 normal) {
    if (!is_lamp) return vec4(0.5 * (view.matrix * vec4(world + normal * view.bias.x, 1.0)).xyz + 0.5, 1.0);
    vec4 p = view.matrix * vec4(world, 1.0);
    return on_map(p + mat3x4(view.matrix) * (normal * (view.bias.x * p.w)));
}

// Whether a caster may reach a place.
bool is_reached(View view, vec4 q) {
    return q.w > 0.0 && all(greaterThan(q.xy, view.bounds.xy)) && all(lessThan(q.xy, view.bounds.zw));
}

vec2 in_atlas(View view, vec2 place) { return view.tile.xy + place * view.tile.zw; }

#ifdef FILTERED_SHADOWS
// Part of the light that arrives. A box three texels wide slides over the map with the position; its four columns and
// rows weigh (1 - f, 1, 1, f), which four bilinear comparisons give exactly.
float hard_shadow(View view, vec3 q) {
    float z = min(q.z, 1.0);
    vec2 place = in_atlas(view, q.xy) * shadow_texel.xy - 0.5;
    vec2 corner = floor(place);
    vec2 f = place - corner;
    vec2 low = 2.0 - f, high = 1.0 + f;
    vec2 a = (corner - 0.5 + 1.0 / low) * shadow_texel.zw;
    vec2 b = (corner + 1.5 + f / high) * shadow_texel.zw;
    float sum = low.x * low.y * texture(shadow_map, vec3(a, z));
    sum += high.x * low.y * texture(shadow_map, vec3(b.x, a.y, z));
    sum += low.x * high.y * texture(shadow_map, vec3(a.x, b.y, z));
    sum += high.x * high.y * texture(shadow_map, vec3(b, z));
    return sum * (1.0 / 9.0);
}
#else
// Part of the light that arrives, between the four texels around.
float hard_shadow(View view, vec3 q) {
    return texture(shadow_map, vec3(in_atlas(view, q.xy), min(q.z, 1.0)));
}
#endif

#ifdef SOFT_SHADOWS
const int BLOCKERS = 10, TAPS = 18;
const float WIDEST = 0.06;  // most of a map's width that an edge can reach to each side
const mat2 GOLDEN = mat2(-0.737369, 0.675490, -0.675490, -0.737369);  // turns by the golden angle

// Distance of a depth of the map from the lamp, or along a directional light.
float metres(View view, float depth) {
    vec4 range = view.range;
    if (view.bias.y < 0.5) return mix(range.x, range.y, depth);
    return range.x * range.y / (range.y - depth * (range.y - range.x));
}

// The edge is as wide as the light is large and the caster far (Fernando 2005, "Percentage-closer soft shadows"). All
// depths are compared with the receiver's plane, so that a wide filter does not shadow what it lies on. l: towards the
// light.
float soft_shadow(View view, vec3 q, vec3 world, vec3 normal, vec3 l) {
    bool is_lamp = view.bias.y > 0.5;
    vec4 range = view.range;
    float texel = 1.0 / view.bias.w;
    float here = metres(view, q.z), width = range.z * (is_lamp ? here : 1.0);
    float widest = is_lamp ? range.w * (here - range.x) / range.x : range.w * (here - range.x);
    float reach = clamp(widest / width, texel, WIDEST);

    // how depth changes along the receiver's plane, per width of the map
    mat4 matrix = view.matrix;
    vec3 right = normalize((vec4(1.0, 0.0, 0.0, 0.0) * matrix).xyz);
    vec3 up = normalize((vec4(0.0, 1.0, 0.0, 0.0) * matrix).xyz);
    float facing = max(dot(normal, l), 0.15), stride = width * reach;
    vec4 p = matrix * vec4(world, 1.0);
    vec4 aside = p + mat3x4(matrix) * (stride * (right - l * (dot(normal, right) / facing)));
    vec4 above = p + mat3x4(matrix) * (stride * (up - l * (dot(normal, up) / facing)));
    vec2 slope = 0.5 * (vec2(aside.z / aside.w, above.z / above.w) - p.z / p.w) / reach;

    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec2 first = vec2(cos(turn), sin(turn)), spoke = first;
    vec2 least = vec2(texel), most = vec2(1.0 - texel);
    float sum = 0.0, count = 0.0;
    for (int i = 0; i < BLOCKERS; ++i) {
        vec2 offset = spoke * (reach * sqrt((float(i) + 0.5) / float(BLOCKERS)));
        spoke = GOLDEN * spoke;
        float depth = texture(shadow_depth, in_atlas(view, clamp(q.xy + offset, least, most))).r;
        float blocks = step(depth, q.z + dot(slope, offset));
        sum += blocks * depth;
        count += blocks;
    }
    if (count == 0.0) return 1.0;
    float blocker = metres(view, sum / count);
    float penumbra = range.w * max(here - blocker, 0.0) * (is_lamp ? 1.0 / max(blocker, 1e-4) : 1.0);
    float radius = clamp(penumbra / width, 1.2 * texel, reach);
    spoke = first;
    sum = 0.0;
    for (int i = 0; i < TAPS; ++i) {
        vec2 offset = spoke * (radius * sqrt((float(i) + 0.5) / float(TAPS)));
        spoke = GOLDEN * spoke;
        float z = min(q.z + dot(slope, offset), 1.0);
        sum += texture(shadow_map, vec3(in_atlas(view, clamp(q.xy + offset, least, most)), z));
    }
    return sum / float(TAPS);
}
#endif

// Colour of the light that arrives at a surface with this normal. l: towards the light; first: its first view, of
// `views`. A lamp has one view, or one for each face of a cube; a directional light a fine one and a coarse one.
vec3 shadow_of(int first, int views, bool is_lamp, vec3 world, vec3 normal, vec3 l) {
    if (is_lamp && views > 1) first += face_of(-l);
    View view = view_of(first);
    vec4 q = seen_in(view, is_lamp, world, normal);
    if (!is_lamp && !is_reached(view, q)) {
        float edge = 4.0 / max(view.bias.w, 1.0);
        if (any(lessThan(q.xy, vec2(edge))) || any(greaterThan(q.xy, vec2(1.0 - edge)))) {
            view = view_of(first + 1);
            q = seen_in(view, is_lamp, world, normal);
        }
    }
    if (!is_reached(view, q)) return vec3(1.0);
#ifdef SOFT_SHADOWS
    vec3 light = vec3(soft_shadow(view, q.xyz, world, normal, l));
#else
    vec3 light = vec3(hard_shadow(view, q.xyz));
#endif
#ifdef TINTED_SHADOWS
    vec4 glass = texture(shadow_tint, in_atlas(view, q.xy));
    if (q.z > glass.a + GLASS_BIAS) light *= glass.rgb;
#endif
    return light;
}
