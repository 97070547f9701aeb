"""The game of dominoes, pure: no I/O, no clock, no global randomness, and nothing but the standard library, save for
`kernel`, which plays ahead on Numba and which nothing imports that does not need it.

A match is a `Setup` and the fold of its events: `match.decide` judges a move and answers what happened,
`match.evolve` replays it without judging, `view.view` and `view.redact` say what one viewer may know of it.
"""
