"""Reading dice notation: words and signs, the grammar, modifiers, and what other tools write."""
