"""The scene as numpy arrays: what a frame shows, from which camera, and what is under the cursor. No GL, no
Qt."""
