// What every stage may know about the frame; renderer/frame.py fills it.
layout(std140) uniform Frame {
    vec4 ambient;        // rgb: sum of the ambient light
    vec4 fog;            // rgb: colour, a: 1 if on
    vec4 fog_range;      // x: start, y: 1 / (end - start)
    vec4 haze;           // rgb: colour, a: slope at which the planes end, as a tangent, 0: no haze
    vec4 viewport;       // width, height and their inverses
    vec4 reflections;    // x: width of one of the mirror images that lie side by side in a texture
    vec4 environment;    // x: brightness of the default background, y: last mip level of the sky, z: 1 with a sky texture, w: part of the plane that haze covers
    vec4 ground_plane;   // plane that metals see, a = 0 in xyz: none
    vec4 ground_scale;   // texture scale xy, offset zw
    vec4 ground_color;   // rgb: colour times light
    vec4 ground_x;       // xyz: its x axis, w: origin along it
    vec4 ground_y;       // xyz: its y axis, w: origin along it
    ivec4 counts;        // x: directional lights, y: all lights
    vec4 section_plane;  // what is below it is not drawn
};

// Where a fragment is on the screen, 0..1. SMALLER: pixels for each texel of the image that is drawn.
#ifndef SMALLER
#define SMALLER 1.0
#endif
#define ON_SCREEN (gl_FragCoord.xy * viewport.zw * SMALLER)
