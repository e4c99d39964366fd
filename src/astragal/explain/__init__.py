"""What people read of a game and of a roll: explanations, reports, hints, covers, worked examples, translations."""
