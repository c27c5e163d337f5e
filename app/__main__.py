"""`python -m app` is `kinetree`."""

import sys

from app.main import main

sys.exit(main())
