// Texels of what was found on the screen: light, multiplied by the share of the surroundings that it stands for, and in one
// number that share (8 bits) and the distance of the texel's surface along the view.
vec4 as_texel(vec4 light, float away) {
    uint share = uint(255.0 * clamp(light.a, 0.0, 1.0) + 0.5);
    return vec4(light.rgb, uintBitsToFloat((floatBitsToUint(away) & ~255u) | share));
}

vec4 from_texel(vec4 texel, out float away) {
    uint bits = floatBitsToUint(texel.a);
    away = uintBitsToFloat(bits & ~255u);
    return vec4(texel.rgb, float(bits & 255u) / 255.0);
}
