// Light that was found on the screen for this pixel, from images that may have fewer pixels.
#include "found.glsl"
#ifdef SCREEN_REFLECTIONS
uniform sampler2D reflection_map;
#endif
#ifdef INDIRECT
uniform sampler2D indirect_map;
#endif

// For a surface `away` metres along the view: of the texels that show the same surface.
vec4 found_light(sampler2D map, float away) {
    ivec2 last = textureSize(map, 0) - 1;
    vec2 place = ON_SCREEN * vec2(last + 1) - 0.5;
    ivec2 middle = ivec2(floor(place + 0.5));
    vec4 sum = vec4(0.0);
    float weight = 0.0;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            ivec2 at = middle + ivec2(x, y);
            vec2 part = max(1.0 - abs(vec2(at) - place), 0.0);
            float there;
            vec4 light = from_texel(texelFetch(map, clamp(at, ivec2(0), last), 0), there);
            float share = (part.x * part.y + 0.001) / (abs(there - away) + 0.002 * away);
            sum += share * light;
            weight += share;
        }
    }
    return sum / weight;
}
