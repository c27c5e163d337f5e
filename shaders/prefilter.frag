#version 410 core
// A texel of the map of the surroundings: the light of a cube image as a surface of one roughness reflects it (GGX, with
// the viewer along the normal; Karis 2013). Samples read a mip level as large as their share of the lobe (Krivanek and
// Colbert 2008), so that few are enough.
#include "octahedron.glsl"

uniform samplerCube cube_map;
uniform float side;       // texels of the map
uniform float roughness;  // negative: the light as it is, at mip level -roughness
uniform int samples;
out vec4 out_color;

const float PI = 3.14159265;

vec4 light_from(vec3 direction, float level) {
    return textureLod(cube_map, vec3(direction.x, direction.z, -direction.y), level);  // y is up in the image
}

float reversed(uint bits) {  // van der Corput's sequence
    bits = (bits << 16u) | (bits >> 16u);
    bits = ((bits & 0x55555555u) << 1u) | ((bits & 0xAAAAAAAAu) >> 1u);
    bits = ((bits & 0x33333333u) << 2u) | ((bits & 0xCCCCCCCCu) >> 2u);
    bits = ((bits & 0x0F0F0F0Fu) << 4u) | ((bits & 0xF0F0F0F0u) >> 4u);
    bits = ((bits & 0x00FF00FFu) << 8u) | ((bits & 0xFF00FF00u) >> 8u);
    return float(bits) * 2.3283064365386963e-10;
}

void main() {
    vec3 n = octahedral_direction(gl_FragCoord.xy / side);
    if (roughness < 0.0) {
        out_color = light_from(n, -roughness);
        return;
    }
    vec3 up = abs(n.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
    vec3 x = normalize(cross(up, n)), y = cross(n, x);
    float a = roughness * roughness, a2 = a * a;
    float texel = 4.0 * PI / (6.0 * float(textureSize(cube_map, 0).x * textureSize(cube_map, 0).x));
    vec4 sum = vec4(0.0);
    float weight = 0.0;
    for (int i = 0; i < samples; ++i) {
        float u = (float(i) + 0.5) / float(samples), angle = 2.0 * PI * reversed(uint(i));
        float ndh = sqrt((1.0 - u) / (1.0 + (a2 - 1.0) * u));
        float sine = sqrt(max(1.0 - ndh * ndh, 0.0));
        vec3 h = x * (sine * cos(angle)) + y * (sine * sin(angle)) + n * ndh;
        vec3 l = 2.0 * ndh * h - n;
        float ndl = dot(n, l);
        if (ndl <= 0.0) continue;
        float d = ndh * ndh * (a2 - 1.0) + 1.0;
        float density = a2 / (PI * d * d) * 0.25;
        float level = 0.5 * log2(1.0 / (float(samples) * density * texel)) + 1.0;
        sum += light_from(l, max(level, 0.0)) * ndl;
        weight += ndl;
    }
    out_color = sum / max(weight, 1e-6);
}
