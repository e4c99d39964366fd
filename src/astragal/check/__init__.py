"""The contract that every game keeps, as checks that name each mistake and its place."""

from astragal.check.contract import CHECKS, mistakes_of
from astragal.check.mistake import Mistake
from astragal.check.remarks import remarks_on

__all__ = ["CHECKS", "Mistake", "mistakes_of", "remarks_on"]
