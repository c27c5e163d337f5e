// The colour that a direction sees: the model's sky, or a quiet studio background.
uniform samplerCube sky_map;

const vec3 ZENITH = vec3(0.040, 0.058, 0.085);
const vec3 NADIR = vec3(0.009, 0.011, 0.015);

vec3 studio(float height) {
    float up = clamp(height, 0.0, 1.0), down = clamp(-height, 0.0, 1.0);
    vec3 color = mix(STUDIO_HORIZON, ZENITH, 1.0 - pow(1.0 - up, 2.5));
    return environment.x * (height >= 0.0 ? color : mix(STUDIO_HORIZON, NADIR, 1.0 - pow(1.0 - down, 3.0)));
}

// MJCF skyboxes are stored with y up: direction (x, z, -y)
vec3 sky_texel(vec3 direction, float level) {
    return textureLod(sky_map, vec3(direction.x, direction.z, -direction.y), level).rgb;
}

vec3 sky_color(vec3 direction) {
    if (environment.z > 0.5) return texture(sky_map, vec3(direction.x, direction.z, -direction.y)).rgb;
    return studio(direction.z);
}

// Haze joins an infinite plane and the sky. It covers the last part of the plane up to its end, at the slope haze.a below
// the horizon; from there to the horizon it thins out in front of the sky. As in the reference it is a cone round the viewer:
// from the plane's end, at the radius 1 and the height -1, to the radius 1 - p * p and the height -1 - p, p being the part
// that it covers. So even where p is 1 it is thin underfoot. The part of the plane in this direction that it hides:
float haze_amount(vec3 direction) {
    if (haze.a <= 0.0) return 0.0;
    float slope = max(-direction.z, 0.0) * inversesqrt(max(dot(direction.xy, direction.xy), 1e-8)) / haze.a;
    float p = environment.w;
    return clamp((1.0 + p) * (1.0 - slope * (1.0 - p)) / (p * (1.0 + p * slope)), 0.0, 1.0);
}

// What stands there instead of the plane.
vec3 haze_color(vec3 direction) {
    float slope = -direction.z * inversesqrt(max(dot(direction.xy, direction.xy), 1e-8));
    vec3 level = vec3(direction.xy, 0.0);
    vec3 behind = environment.z > 0.5 ? sky_texel(level, 0.0) : studio(0.0);
    return mix(behind, haze.rgb, clamp(slope / max(haze.a, 1e-6), 0.0, 1.0));
}
