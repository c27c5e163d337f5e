"""The steps of a frame, one file each; `renderer/frame.py` lists them."""
