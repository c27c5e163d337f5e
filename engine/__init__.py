"""Kinetree's engine: model text to compiled model, physics, and the scene as plain arrays. No Qt, no OpenGL.

Its public functions are those of `import kinetree`.
"""
