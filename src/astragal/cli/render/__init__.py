"""What a terminal prints: dice, charts, advice, sheets."""
