"""Chronicles' rules by number and all its other words, which stand in ``rules.toml``."""

from astragal.author import Texts

TEXTS = Texts(__file__.replace(".py", ".toml"))
say, cited, because = TEXTS.say, TEXTS.cited, TEXTS.because
said, note, noted, refuse = TEXTS.said, TEXTS.note, TEXTS.noted, TEXTS.refuse
