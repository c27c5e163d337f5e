struct Light {
    vec4 position;     // w: 0 spot, 1 directional, 2 point
    vec4 direction;    // w: cosine of the cutoff
    vec4 diffuse;      // w: exponent
    vec4 specular;     // w: index of its shadow, -1: none
    vec4 attenuation;  // w: 1 / width of a spot's rim, in cosines
    vec4 ambient;
};

layout(std140) uniform Lights { Light lights[MAX_LIGHTS]; };
