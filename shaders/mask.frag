#version 410 core
// Which pixels a shape covers, in the channels that the pass asks for.
uniform vec4 channels;
out vec4 out_mask;

void main() {
    out_mask = channels;
}
