"""Plots of the running simulation. pyqtgraph is imported when the first plot is shown, in a thread.

recording.py   PlotRecording: what is plotted is recorded at every step, over resets, seeks and edits
curves.py      Curve, PlotState: what a plot shows, as data that is remembered for each model file; colours
ready.py       the table of ready plots: energy, contacts, solver ...
canvas.py      Canvas: one plot drawn by pyqtgraph
lines.py       PlotLine: antialiased lines of 1.5 pixels, quickly
marks.py       Marks: events, ends of runs, times without data
past.py        PlottedPast: steps of the history that were not recorded
measured.py    MeasuredCurve: a column of a CSV file as a curve
data_files.py  DataFiles: measured data of a panel, asked for and read
data_dialog.py the dialog of columns, units and offset
offers.py      Offers: ready plots in the middle of an empty one
computed.py    the flags that quantities need, and the note about them
analysis.py    what is drawn: curves over time, phase plots, spectra
axis.py        Axis: its numbers are the values; no hidden powers of ten
legend.py      the list of curves beside a plot
entry.py       the line where an expression is typed, with completion
plot.py        Plot: canvas, legend and entry
panel.py       PlotsPanel: plots below each other, with one time axis
drawing.py     PlotFrames: when the plots of a panel are drawn
remembered.py  RememberedPlots: the plots of a panel, saved and restored for each model
exporting.py   PlotExport: the recorded steps of a panel to a file, its plots as a picture
docks.py       PlotDocks: any number of panels of plots in a window
export.py      recorded steps written to CSV, Parquet and MCAP files
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots import export, plot  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
