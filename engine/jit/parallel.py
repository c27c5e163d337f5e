"""Loops whose turns several threads share: `for_each` in a kernel, `assist` in the threads that help.

    for_each(task, model, data, first, end)     # task(model, data, k) for k in range(first, end)

Where the Data has no threads this is a plain loop. With threads (engine/jit/threads.py) each of them, the calling one
included, takes turns of its own slice of the range, then of the slices of others, until none are left. The call returns
when all turns are done. So no thread is waited for that has not taken a turn: the caller does everything itself when no
other comes. A task is a kernel that is marked `@apart`.

The result must not depend on who does what and when. A task reads nothing that another turn writes, and writes to
places of its own: whole numbers of memory, so that no chunk of four (engine/jit/simd.py) reaches into the place of
another turn. Sums are left in an array by turn; the caller adds them up in order. A task does not assign cells of Data,
asks for no memory, and contains no `for_each` with more than one turn. Arrays that are marked `thread` in
`engine/model/fields.py` are work space: each thread has its own. Threads that help get a table of addresses of their
own for that, which otherwise is that of the Data.
"""

from __future__ import annotations

from kinetree.engine.jit.addresses import (
    add_word,
    address_of_table,
    address_of_task,
    call_c,
    call_task,
    load_word,
    relax,
    store_word,
    swap_word,
    words_at,
)
from kinetree.engine.jit.kernel import kernel, small, takes

# The words of a pool of threads. Those that are written often have a cache line (LINE words) of their own.
LINE = 8
PENDING = 0  # how many turns of the present loop are not done
TASK, MODEL, FIRST, LAST = 8, 9, 10, 11  # the loop: address of the task, of the model, the range
BUSY = 16  # 1 while a step runs
YIELD = 24  # address of the C function that lets other threads run
THREADS = 25  # number of threads
SLICES = (
    32  # a line for each thread: the number of the loop, and in the lower half how many turns of its slice are left
)
TABLE = 1  # in that line, for a thread that helps: its table of the Data

LOW = (1 << 32) - 1
SPINS = 1000
"""How often a thread looks for work before it lets others run each time."""
LINGER = 300
"""How often a thread looks for another step, after one has ended, before it goes to sleep."""


def _loop():
    @small
    def for_each(task, model, data, first, end):
        """task(model, data, k) for k in range(first, end), shared by the threads of the data."""
        if data.pool == 0 or end - first < 2:
            for k in range(first, end):
                task(model, data, k)
        else:
            code = address_of_task(task, model, data)
            _share(data.pool, code, address_of_table(model), address_of_table(data), first, end)

    return for_each


for_each = _loop()
for_each_part = _loop()
"""`for_each` for tasks that contain it: numba takes a function that is reached from itself for a recursion."""


@small
def threads_of(data):
    """How many threads share the loops of the data."""
    return 1 if data.pool == 0 else words_at(data.pool, SLICES)[THREADS]


@small
def turns_for(data, n):
    """In how many turns to do n pieces of work that need no sums: one for each thread, where there is enough to do."""
    threads = threads_of(data)
    return threads if n >= 2 * threads else 1


@small
def slice_of(data, turn, n):
    """The part of range(n) that is one of these turns."""
    turns = turns_for(data, n)
    return n * turn // turns, n * (turn + 1) // turns


@kernel
def _share(pool, task, model, data, first, last):
    """The loop of `for_each`, by the thread that steps: it is thread 0 of the pool."""
    words = words_at(pool, SLICES + 1)
    words[TASK], words[MODEL], words[FIRST], words[LAST] = task, model, first, last
    store_word(pool + 8 * PENDING, last - first)
    loop = (words[SLICES] >> 32) + 1 << 32
    for k in range(words[THREADS]):
        store_word(_slice(pool, k), loop + _end(words, k + 1) - _end(words, k))
    _work(pool, 0, data)
    spins = 0
    while load_word(pool + 8 * PENDING) != 0:
        spins += 1
        _wait(pool, spins)


@small
def _slice(pool, k):
    """Address of the word that counts what is left of the slice of thread k."""
    return pool + 8 * (SLICES + LINE * k)


@small
def _end(words, k):
    """Where the slices of the first k threads end."""
    return words[FIRST] + (words[LAST] - words[FIRST]) * k // words[THREADS]


@kernel
def _work(pool, thread, data):
    """Do turns of the present loop until none are left: first those of the thread's own slice, then of others.

    A thread gets the same slice each time, so that what it needs is in the cache of its processor.
    """
    number = words_at(pool, SLICES)[THREADS]
    for j in range(number):
        k = thread + j if thread + j < number else thread + j - number
        while _take(pool, k, data):
            pass


@small
def _take(pool, k, data):
    """Take some turns of the slice of thread k and do them; whether there were any."""
    state = load_word(_slice(pool, k))
    left = state & LOW
    number = (left + 3) // 4
    if left == 0 or not swap_word(_slice(pool, k), state, state - number):
        return left != 0
    # The loop cannot end before these turns are done: until then its words stay as they are.
    words = words_at(pool, SLICES)
    first = _end(words, k + 1) - left
    for turn in range(first, first + number):
        call_task(words[TASK], words[MODEL], data, turn)
    add_word(pool + 8 * PENDING, -number)
    return True


@small
def _wait(pool, spins):
    """Wait a moment; other threads may run when this has gone on for a while."""
    if spins < SPINS:
        relax()
    else:
        call_c(words_at(pool, SLICES)[YIELD], 0, 0)


@takes("i8", "i8")
@kernel
def assist(pool, thread):
    """Help while steps run: the work of a thread of the pool. Returns some time after a step has ended."""
    spins = quiet = seen = 0
    while quiet < LINGER:
        state = load_word(_slice(pool, thread))
        if state != seen:
            _work(pool, thread, words_at(_slice(pool, thread), TABLE + 1)[TABLE])
            seen, spins = load_word(_slice(pool, thread)), 0
        else:
            spins += 1
            _wait(pool, spins)
        quiet = 0 if load_word(pool + 8 * BUSY) != 0 else quiet + 1
