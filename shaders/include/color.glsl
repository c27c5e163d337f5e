// Linear light to what the screen shows.

// Leaves colours below the knee as they are; above it, compresses the largest channel towards 1, keeps the hue, and lets
// very bright colours turn white. After Khronos's PBR Neutral tone mapper, without its toe.
vec3 tone(vec3 color) {
    const float knee = 0.8;
    float peak = max(color.r, max(color.g, color.b));
    if (peak <= knee) return color;
    const float range = 1.0 - knee;
    float squeezed = 1.0 - range * range / (peak + range - knee);
    color *= squeezed / peak;
    float white = 1.0 - 1.0 / (0.15 * max(peak - 1.0, 0.0) + 1.0);
    return mix(color, vec3(squeezed), white);
}

// The filmic curve of ACES, as fitted by Narkowicz (2015).
vec3 aces(vec3 color) {
    return clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
}

// IEC 61966-2-1
vec3 encode(vec3 color) {
    return mix(1.055 * pow(max(color, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, color * 12.92,
               lessThan(color, vec3(0.0031308)));
}

vec3 display(vec3 color) {
    if (counts.z < 0) return encode(tone(color));
    return encode(counts.z == 0 ? min(color, vec3(1.0)) : aces(color));
}
