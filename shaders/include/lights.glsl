struct Light {
    vec4 position;     // w: 0 spot, 1 directional, 2 point
    vec4 direction;    // w: cosine of the cutoff
    vec4 diffuse;      // sRGB-encoded, or linear light if the lamp is photometric; w: exponent
    vec4 specular;     // likewise; w: index of its shadow, -1: none
    vec4 attenuation;  // w: 1 / width of a spot's rim, in cosines
    vec4 ambient;      // likewise; w: distance from which on objects cast shadows
    vec4 bulb;         // x: 1 if photometric, y: 1 / range, 0 for no limit, z: radius of the source, w: metres that it reaches, 0: no limit
};

layout(std140) uniform Lights { Light lights[MAX_LIGHTS]; };
