"""Games without Python: one TOML file declares dice, inputs, readings, outcomes, words, a sheet and examples."""

from astragal.written.game import load_game

__all__ = ["load_game"]
