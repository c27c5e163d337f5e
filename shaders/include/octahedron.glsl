// Directions on a square: an octahedron unfolded (Engelhardt and Dachsbacher 2008), with a border that repeats what lies
// beyond the edges, so that textures can be filtered there, down to the last level.
const float BORDER = OCTAHEDRON_BORDER;  // part of the side, on each side

vec2 octahedral_place(vec3 direction) {
    vec3 d = direction / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 p = d.z >= 0.0 ? d.xy : (1.0 - abs(d.yx)) * vec2(d.x >= 0.0 ? 1.0 : -1.0, d.y >= 0.0 ? 1.0 : -1.0);
    return 0.5 + (0.5 - BORDER) * p;
}

vec3 octahedral_direction(vec2 place) {
    vec2 p = (place - 0.5) / (0.5 - BORDER);
    if (abs(p.x) > 1.0) p = vec2(sign(p.x) * 2.0 - p.x, -p.y);
    if (abs(p.y) > 1.0) p = vec2(-p.x, sign(p.y) * 2.0 - p.y);
    float z = 1.0 - abs(p.x) - abs(p.y);
    if (z < 0.0) p = (1.0 - abs(p.yx)) * vec2(p.x >= 0.0 ? 1.0 : -1.0, p.y >= 0.0 ? 1.0 : -1.0);
    return normalize(vec3(p, z));
}
