"""Words and pictures in a terminal. This room knows no rules."""
