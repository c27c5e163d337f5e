"""`python -m kinetree` is the command `kinetree`."""

import sys

from kinetree.app.main import main

sys.exit(main())
