"""AnyDice programs, read and solved exactly: ``run_program`` gives the odds of every output."""

from astragal.anydice.run import run_program

__all__ = ["run_program"]
