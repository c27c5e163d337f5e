// MJCF's light colours and legacy materials are numbers for a renderer that adds and multiplies sRGB-encoded colours, and
// whose sum is what the screen shows. Their light is summed up in the same way here, then decoded to linear light.

// Both polynomials follow IEC 61966-2-1 within one of 255 levels, white exactly; pow() would cost a software renderer four times as much.
vec3 decoded(vec3 shown) {
    vec3 e = clamp(shown, 0.0, 1.0);
    vec3 low = e * (0.05954 + e * (0.36130 + e * (0.90064 - 0.32148 * e)));
    return low + 2.2 * max(shown - 1.0, 0.0);  // brighter than white: on along the tangent
}

vec3 encoded(vec3 light) {
    vec3 root = sqrt(clamp(light, 0.0, 1.0) + 0.0014);
    return max(0.872873 * root + 0.309322 * sqrt(root) - 0.086880 * light - 0.096034, 0.0);
}
