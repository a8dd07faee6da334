# What type checkers read of the package, whose names are loaded on first use at run time.

from setright.client import AsyncSetright as AsyncSetright
from setright.client import Setright as Setright

__version__: str
