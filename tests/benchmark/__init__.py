"""Programs that measure, and programs that look for failures for longer than a test may take; `--help` of each tells more.

    python -m tests.benchmark.NAME

`bench_*`, `latency`, `menus`, `plots`, `startup`, `stalls`, `tree`, `typing` measure. `sheets` makes pictures for a person to judge. These look for failures, and end with an exit code:

    every_element    every edit of every element of every model of a folder: only its own span changes, undo gives the bytes
    session          1,000 random edits through every surface: text, tree, model, picture, undo and files agree
    kill             the program is killed at random moments of a session: what the next start brings back
    language_server  every request at random places of every model, before and after edits: no error, no slow answer
    monkey           random clicks, keys, drags and resizes: no error, no leak, a window that answers
    mutate           characters typed and deleted at random while the model runs: no complaint, the last good model runs on
"""
