"""The command line: commands, prompts and terminal output. It knows no rule of any game."""
