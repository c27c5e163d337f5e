// Parts of what a viewer sees: tiles of the window, cut into slices of depth (renderer/passes/clusters.py).

// Slice of a depth along the view. depths.x: where the first slice ends, y: slices in each doubling, or in each metre if
// z is 1.
int slice_of(float depth, vec3 depths, int slices) {
    float slice = depths.z > 0.5 ? (depth - depths.x) * depths.y : 1.0 + depths.y * log2(max(depth, 1e-9) / depths.x);
    return clamp(int(floor(slice)), 0, slices - 1);
}

// Where a slice begins; each ends where the next one begins.
float slice_depth(int slice, vec3 depths) {
    return depths.z > 0.5 ? depths.x + float(slice) / depths.y : depths.x * exp2(float(slice - 1) / depths.y);
}
