"""Decor: everything in the scene that is not a geom, site, flex or skin.

`table.py` lists the decorations, what switches each on and the function that draws it; `rows.py` is the array
they fill. `labels.py` has the texts that the window writes beside objects.
"""
