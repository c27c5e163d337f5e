// One instance is INSTANCE_TEXELS texels; see engine/scene/scene.py.
uniform sampler2D instances;
uniform int base;

vec4 field(int id, int k) {
    return texelFetch(instances, ivec2((id % INSTANCES_PER_ROW) * INSTANCE_TEXELS + k, id / INSTANCES_PER_ROW), 0);
}

void transform_of(int id, out vec3 position, out mat3 rows, out vec3 size, out float segment) {
    vec4 p = field(id, 0), a = field(id, 1), b = field(id, 2), c = field(id, 3);
    position = p.xyz;
    segment = p.w;
    size = vec3(a.w, b.w, c.w);
    rows = mat3(a.xyz, b.xyz, c.xyz);  // columns are the rotation's rows: v * rows rotates v
}
