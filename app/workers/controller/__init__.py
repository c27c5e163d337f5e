"""The process that runs the controller file of a user.

process.py   runs in the process: imports the file, calls its function
client.py    the process as the window and the simulation thread see it

app/workers/simulation/controlling.py asks it before the steps.
"""
