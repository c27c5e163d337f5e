// Tone mapping, one operator a program (TONE_...), and the encoding of screens. All take and give linear light, where
// 1 is the white of the screen. TONE_UNCHANGED: an operator keeps colours whose channels are all below it.

float luminance(vec3 color) { return dot(color, vec3(0.2126, 0.7152, 0.0722)); }  // Rec. 709

#if defined(TONE_NONE)
// Cuts off what is brighter than white.
const float TONE_UNCHANGED = 1.0;
vec3 tone(vec3 color) { return min(color, vec3(1.0)); }

#elif defined(TONE_KNEE)
// Leaves colours below the knee as they are; above it, compresses the largest channel towards 1 and keeps the hue. What is
// far brighter than white turns white; the sum of a few legacy lamps, which that of a renderer of 8 bits cuts off, does not.
const float TONE_UNCHANGED = 0.8, TURNS_WHITE = 3.0;
vec3 tone(vec3 color) {
    float peak = max(color.r, max(color.g, color.b));
    if (peak <= TONE_UNCHANGED) return color;
    const float range = 1.0 - TONE_UNCHANGED;
    float squeezed = 1.0 - range * range / (peak + range - TONE_UNCHANGED);
    color *= squeezed / peak;
    float white = 1.0 - 1.0 / (0.15 * max(peak - TURNS_WHITE, 0.0) + 1.0);
    return mix(color, vec3(squeezed), white);
}

#elif defined(TONE_REINHARD)
// Reinhard et al. 2002, equation 4, on luminance: WHITE is the luminance that becomes 1.
const float TONE_UNCHANGED = 0.0;
vec3 tone(vec3 color) {
    const float WHITE = 4.0;
    float light = luminance(color);
    return min(color * ((1.0 + light / (WHITE * WHITE)) / (1.0 + light)), vec3(1.0));
}

#elif defined(TONE_ACES)
// The filmic curve of ACES, as fitted by Narkowicz (2015).
const float TONE_UNCHANGED = 0.0;
vec3 tone(vec3 color) {
    return clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
}

#elif defined(TONE_AGX)
// AgX (Sobotka 2022) with the polynomial of Wrensch (2023): the logarithm of light between two limits in a wider set of
// colours, through a curve of contrast.
const float TONE_UNCHANGED = 0.0;
vec3 tone(vec3 color) {
    const mat3 INSET = mat3(0.842479062, 0.042328242, 0.042375655, 0.0784336, 0.878468636, 0.0784336,
                            0.079223745, 0.079166127, 0.879142974);
    const mat3 OUTSET = mat3(1.196879005, -0.052896852, -0.052971636, -0.098020881, 1.15190313, -0.09804345,
                             -0.099029744, -0.098961177, 1.151073673);
    const float DARKEST = -12.47393, BRIGHTEST_STOP = 4.026069;  // powers of two
    vec3 stops = log2(max(INSET * color, vec3(1e-10)));
    vec3 x = clamp((stops - DARKEST) / (BRIGHTEST_STOP - DARKEST), 0.0, 1.0);
    vec3 x2 = x * x, x4 = x2 * x2;
    vec3 curved = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    return pow(clamp(OUTSET * curved, 0.0, 1.0), vec3(2.2));
}

#elif defined(TONE_NEUTRAL)
// Khronos PBR Neutral (specification of 2024): subtracts what a dielectric reflects at least, keeps colours below the
// start of compression, and desaturates above it.
const float TONE_UNCHANGED = 0.0;
vec3 tone(vec3 color) {
    const float F90 = 0.04, START = 0.8 - F90, DESATURATION = 0.15;
    float low = min(color.r, min(color.g, color.b));
    color -= low < 2.0 * F90 ? low - low * low / (4.0 * F90) : F90;
    float peak = max(color.r, max(color.g, color.b));
    if (peak < START) return color;
    const float range = 1.0 - START;
    float squeezed = 1.0 - range * range / (peak + range - START);
    color *= squeezed / peak;
    return mix(vec3(squeezed), color, 1.0 / (DESATURATION * (peak - squeezed) + 1.0));
}
#endif

// Encodes linear light for the screen (IEC 61966-2-1).
vec3 encode(vec3 color) {
    return mix(1.055 * pow(max(color, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055, color * 12.92,
               lessThan(color, vec3(0.0031308)));
}
