"""Hands at the speed of machine code: positions played out by chance a million times a second, or solved.

`engine.turns` says what the rules are. This is a second form of them for what looks ahead: tiles are bits, a layout is
what its ends show, and nothing is recorded. A `Plan` is rules for a number of seats, made once; a `Position` is a hand
with nothing hidden, from the table's own or from what a seat sees and a guess; `playouts` and `solve` say what each
move is worth in it. Budgets are counts and never times, and seeds are given, so that the same call has the same answer
on any machine.

Importing these modules imports Numba, which the rest of the engine does without. The first call of all compiles, which
takes half a minute; later processes load what is kept in a cache. `ready.warm` does that beforehand.
"""
