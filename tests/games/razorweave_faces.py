"""Faces of a Check against DC 14, without Attribute: one throw of each tier."""

from __future__ import annotations

CRITICAL, FULL, PARTIAL, FAILURE, DISASTER = "6 6 6 6", "4 4 4 4", "3 3 3 3", "3 3 2 2", "1 1 2 2"
