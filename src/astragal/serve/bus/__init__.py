"""The bus: what servers of the same tables tell each other, soon or not at all; rows are the truth."""
