#version 410 core
// Depth only.
void main() {}
