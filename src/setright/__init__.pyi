# What type checkers read of the package, whose names are loaded on first use at run time.

from setright.client import AsyncFakeSetright as AsyncFakeSetright
from setright.client import AsyncSetright as AsyncSetright
from setright.client import FakeSetright as FakeSetright
from setright.client import Recorder as Recorder
from setright.client import Setright as Setright

__version__: str
