// Places as the eye sees them, from a depth image: x to the right, y up, z along the view, in metres.
uniform sampler2D scene_depth;
uniform vec4 depth_rows;     // the projection's rows for z and w, their last two columns
uniform vec4 frustum;        // left, bottom, width, height of the image at a distance of 1 (orthographic: anywhere)
uniform float orthographic;  // 1 or 0

const float PI = 3.14159265, FARTHEST = 65000.0;

// Distance along the view.
float distance_at(ivec2 texel) {
    float depth = texelFetch(scene_depth, texel, 0).r, z = 2.0 * depth - 1.0;
    if (depth >= 1.0) return FARTHEST;
    return (z * depth_rows.w - depth_rows.y) / (z * depth_rows.z - depth_rows.x);
}

// What is seen at a place of the image, 0..1, at a distance.
vec3 seen_at(vec2 place, float z) {
    vec2 slope = frustum.xy + place * frustum.zw;
    return vec3(orthographic > 0.5 ? slope : slope * z, z);
}

// Where a texel's surface is.
vec3 place_of(ivec2 texel, vec2 size) { return seen_at((vec2(texel) + 0.5) / size, distance_at(texel)); }

// Fit of arc cosine (Lagarde 2014), right to 0.5 %.
float arc_cosine(float x) {
    float a = abs(x);
    float angle = (-0.156583 * a + 0.5 * PI) * sqrt(max(1.0 - a, 0.0));
    return x >= 0.0 ? angle : PI - angle;
}
