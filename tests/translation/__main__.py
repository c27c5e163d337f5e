"""Brings the catalogues in line with the sources: see the package."""

import sys

from tests.translation import catalogues, pseudo

catalogues.write()
if "pseudo" in sys.argv[1:]:
    pseudo.write(catalogues.FOLDER)
