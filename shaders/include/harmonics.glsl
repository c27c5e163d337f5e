// The light of all directions on a matte surface, and where the light from around is found.
layout(std140) uniform Surroundings {
    vec4 harmonics[HARMONICS];     // of the light that a matte surface gets (spherical harmonics up to degree 2)
    vec4 reflected;        // x: texels of the source in a radian, y: intensity of what is reflected
    vec4 probe_position;   // w: texels of its source in a radian
    vec4 probe_size;       // half of the box that the probe acts in
    vec4 captured[CAPTURES];  // places from which things were seen; w: distance that is kept best, 0: none
};

// Below 0 where the few coefficients overshoot.
vec3 far_matte_light(vec3 n) {
    float basis[HARMONICS] = float[](0.282095, 0.488603 * n.y, 0.488603 * n.z, 0.488603 * n.x, 1.092548 * n.x * n.y,
                                     1.092548 * n.y * n.z, 0.315392 * (3.0 * n.z * n.z - 1.0), 1.092548 * n.x * n.z,
                                     0.546274 * (n.x * n.x - n.y * n.y));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < HARMONICS; ++i) sum += harmonics[i].rgb * basis[i];
    return sum;
}
