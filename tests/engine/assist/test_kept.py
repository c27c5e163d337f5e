"""Results about a document are computed once, for every thread, and freed with the document."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

from kinetree.engine.assist.attached import attached_names
from kinetree.engine.assist.completion import complete
from kinetree.engine.assist.hover import hover
from kinetree.engine.assist.in_force import in_force
from kinetree.engine.assist.index import index_of
from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.assist.navigation import references
from kinetree.engine.document.document import Document
from tests.engine.assist.test_hover import MODEL


def use(document: Document) -> list:
    offset = MODEL.index('material="ste') + 12
    found = [
        language_of(document).name,
        len(names_of(document).declarations),
        list(index_of(document).names("geom")),
        [item.label for item in complete(document, document.path, offset).items],
        hover(document, document.path, offset).markdown,
        [(span.start, span.end) for span in references(document, document.path, offset)],
    ]
    attached_names(document, "geom")
    for node in document.root.iter():
        found.append({name: (value.value, value.origin) for name, value in in_force(document, node).items()})
    return found


def test_documents_are_freed() -> None:
    document = Document.from_string(MODEL)
    use(document)
    gone = weakref.ref(document)
    del document
    gc.collect()
    assert gone() is None


def test_any_thread_may_ask() -> None:
    expected = use(Document.from_string(MODEL))
    document = Document.from_string(MODEL)
    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(lambda _: use(document), range(24)))
