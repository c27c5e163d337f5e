"""Quick fixes: for a finding, the small edits that fix it.

    for fix in fixes_of(finding, document):        "Change 'sise' to 'size'"
        changes = changes_of([fix], document)      edits by path, for one undo step

`table.py` has a row for each code that has fixes; the problems panel, the source panel and the language server read it.
A fix is made from the finding's place, its facts (`Diagnostic.facts`) and the present text alone; there is
none where the text does not match the finding.
"""

from kinetree.engine.editing.fixes.fix import Fix, changes_of
from kinetree.engine.editing.fixes.table import FIXES, FixRow, fixes_of, fixes_of_all

__all__ = ["FIXES", "Fix", "FixRow", "changes_of", "fixes_of", "fixes_of_all"]
