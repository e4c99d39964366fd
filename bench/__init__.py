"""Measurements, run by ``make bench``; what they show is written to docs/benchmarks.md."""
