"""Audits: the printed figures of rulebooks, compared with exact odds."""

from __future__ import annotations

from astragal.audit.auditor import audit
from astragal.audit.finding import Audit, CheckedFigure, DirectiveProblem, WrongSum
from astragal.audit.fix import fixed

__all__ = ["Audit", "CheckedFigure", "DirectiveProblem", "WrongSum", "audit", "fixed"]
