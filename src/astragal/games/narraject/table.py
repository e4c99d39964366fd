"""Narraject's table rules: the parts of ``sheet``, ``offers``, ``effects`` and ``moves``."""

from astragal.author import table_rules_in

TABLE_RULES = table_rules_in("astragal.games.narraject")
