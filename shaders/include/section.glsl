// The section plane: what a solid looks like where it is cut open.
#if defined(SECTION) && !defined(TWO_SIDED) && !defined(BLEND)
#define CUT
const float HATCH = 12.0;  // pixels between the hatches
#ifdef SOLID
// 1: ball or ellipsoid, 2: capsule, 3: cylinder, 4: box, 5: closed mesh
const float BEHIND = 1.0 / 512.0;  // of its depth that a cut keeps: that of an inner shape is seen on that of the outer one
uniform mat4 pass_matrix;
#if SOLID == 5
flat in float v_number;
uniform sampler2D cut_map;  // `renderer/passes/cut.py`

// Whether the point of the plane that this pixel shows is inside of the mesh; where three or more share it, of any.
bool is_inside(vec3 place) {
    vec3 count = texelFetch(cut_map, ivec2(gl_FragCoord.xy), 0).xyz;
    vec2 rest = count.yz - vec2(v_number, v_number * v_number);  // of the other mesh that has the point in it
    return count.x > 2.5 || (count.x > 0.5 && (count.x > 1.5 ? rest.x * rest.x == rest.y : rest == vec2(0.0)));
}
#else
flat in vec3 v_center;
flat in vec3 v_size;
flat in mat3 v_rows;

// Whether a point of the world is inside of the shape.
bool is_inside(vec3 place) {
    vec3 p = v_rows * (place - v_center);
#if SOLID == 2
    p.z -= clamp(p.z, -v_extra.x, v_extra.x);
#endif
    p = abs(p / v_size);
#if SOLID == 4
    return max(p.x, max(p.y, p.z)) <= 1.0;
#elif SOLID == 3
    return p.z <= 1.0 && dot(p.xy, p.xy) <= 1.0;
#else
    return dot(p, p) <= 1.0;
#endif
}
#endif
#endif

// Turns a point of the far inside of a solid, seen through the plane, into a hatched point on the plane. Of shapes whose
// inside can be told it also hides what is behind the cut.
void show_cut(inout vec3 place, inout vec3 n, inout vec4 base) {
    vec3 along = viewer.w > 0.5 ? viewer_forward.xyz : v_world - viewer.xyz;
    float rate = dot(section_plane.xyz, along), height = dot(section_plane, vec4(v_world, 1.0));
#ifdef SOLID
    gl_FragDepth = gl_FragCoord.z;
#endif
    if (!gl_FrontFacing && rate > 0.0) {
        place = v_world - along * (height / rate);
        n = -section_plane.xyz;
        float stripe = fract((gl_FragCoord.x + gl_FragCoord.y) / HATCH);
        base = vec4(v_color.rgb * (stripe < 0.2 ? 0.45 : 0.8), base.a);
#ifdef SOLID
        if (is_inside(place)) {
            vec4 there = pass_matrix * vec4(place, 1.0);
            gl_FragDepth = mix(0.5 + 0.5 * there.z / there.w, gl_FragCoord.z, BEHIND);
        }
#endif
    }
}
#endif
