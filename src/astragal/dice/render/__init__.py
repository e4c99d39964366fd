"""Distributions as text, CSV, HTML and SVG."""
