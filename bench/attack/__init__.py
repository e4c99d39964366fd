"""The attack as a program: ``python -m bench.attack`` starts a server of its own and attacks that, and nothing else."""
