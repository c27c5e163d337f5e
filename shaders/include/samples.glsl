// SAMPLES: samples per pixel of the image that is read, 0 for one that is not multisampled.
#if SAMPLES > 1
#define SCENE_SAMPLER sampler2DMS
#else
#define SCENE_SAMPLER sampler2D
#endif
