"""Draft length: a pure function of the rounds so far. Standard library only.

Whatever a controller looks at, it cannot bias the text: no random number is used twice.
"""

from specviz.gamma.fixed import Fixed

__all__ = ["Fixed"]
