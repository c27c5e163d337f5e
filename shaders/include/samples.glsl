// SAMPLES: samples per pixel of the image that is read, 0 for one that is not multisampled.
#if SAMPLES > 1
#define SCENE_SAMPLER sampler2DMS
#define SCENE_SIZE vec2(textureSize(scene_color))
#else
#define SCENE_SAMPLER sampler2D
#define SCENE_SIZE vec2(textureSize(scene_color, 0))
#endif
