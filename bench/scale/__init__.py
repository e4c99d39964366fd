"""The plan for a million tables: measured rates, a simulated week, and docs/scale.md, which ``make scale`` writes."""
