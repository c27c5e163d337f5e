"""Panels that drive a simulation and the picture: controls, joints, keyframes, options, display and others."""
