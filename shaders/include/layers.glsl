// Texture layers of a physically based material.
#ifdef LAYER_NORMAL
uniform sampler2D normal_map;
uniform vec3 detail;  // repeats along u and v, strength
#endif
#ifdef LAYER_ROUGHNESS
uniform sampler2D roughness_map;
#endif
#ifdef LAYER_METALLIC
uniform sampler2D metallic_map;
#endif
#ifdef LAYER_ORM
uniform sampler2D orm_map;
#endif
#ifdef LAYER_OCCLUSION
uniform sampler2D occlusion_map;
#endif
#ifdef LAYER_EMISSIVE
uniform sampler2D emissive_map;
#endif

// A tangent frame from screen-space derivatives (Schueler 2013), so that meshes need no tangents.
mat3 tangent_frame(vec3 n, vec3 position, vec2 uv) {
    vec3 dx = dFdx(position), dy = dFdy(position);
    vec2 du = dFdx(uv), dv = dFdy(uv);
    vec3 a = cross(dy, n), b = cross(n, dx);
    vec3 t = a * du.x + b * dv.x;
    vec3 s = a * du.y + b * dv.y;
    float scale = inversesqrt(max(max(dot(t, t), dot(s, s)), 1e-20));
    return mat3(t * scale, s * scale, n);
}

void apply_layers(inout vec3 n, inout float metallic, inout float roughness, inout float occlusion, inout vec3 emitted) {
#ifdef LAYER_NORMAL
    vec3 bump = texture(normal_map, v_layer * detail.xy).xyz * 2.0 - 1.0;
    bump.xy *= vec2(detail.z, -detail.z);  // the image's up is against v
    n = normalize(tangent_frame(n, v_world, v_layer) * bump);
#endif
#ifdef LAYER_ROUGHNESS
    roughness *= texture(roughness_map, v_layer).g;
#endif
#ifdef LAYER_METALLIC
    metallic *= texture(metallic_map, v_layer).b;
#endif
#ifdef LAYER_ORM
    vec3 orm = texture(orm_map, v_layer).rgb;
    occlusion *= orm.r;
    roughness *= orm.g;
    metallic *= orm.b;
#endif
#ifdef LAYER_OCCLUSION
    occlusion *= texture(occlusion_map, v_layer).r;
#endif
#ifdef LAYER_EMISSIVE
    emitted += texture(emissive_map, v_layer).rgb;
#endif
}
