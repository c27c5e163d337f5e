"""Lists of live values: one model and one view for sensors, joints, controls, tendons, contacts, the watch list.

rows.py    LiveRow: a name, its numbers in the running simulation, unit, object. LiveColumn: how a row is shown
model.py   LiveModel: rows in groups, filtered and sorted; reads only what is painted
cells.py   Cells: the name and the number of a row share their room
view.py    LiveView: selection, keyboard, copies as text, drags quantities to plots
panel.py   LivePanel: the search field, the view, and when they follow the simulation
"""
