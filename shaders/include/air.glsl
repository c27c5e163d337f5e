// What lies between a surface and the viewer: haze over infinite planes, and fog. Both are mixed as the screen shows them,
// as their authors saw it.
vec3 veiled(vec3 color, vec3 veil, float amount) {
    if (amount <= 0.0) return color;
    return decoded(mix(encoded(color), encoded(veil), amount));
}

#ifdef FOG
float fog_amount(vec3 to_eye) {
    float depth = dot(-to_eye, viewer_forward.xyz);
#ifdef INFINITE
    if (depth < 0.0) return 1.0;  // a pixel of the horizon whose middle lies beyond it
#endif
    return clamp((depth - fog_range.x) * fog_range.y, 0.0, 1.0);
}
#endif

// Share of the light that the air lets through.
float clearness(vec3 to_eye) {
#ifdef FOG
    return 1.0 - fog_amount(to_eye);
#else
    return 1.0;
#endif
}

vec3 through_air(vec3 color, vec3 to_eye) {
#if defined(INFINITE) && !defined(FADING)
    color = veiled(color, haze_color(-to_eye), haze_amount(-to_eye));
#endif
#ifdef FOG
    color = veiled(color, fog.rgb, fog_amount(to_eye));
#endif
    return color;
}
