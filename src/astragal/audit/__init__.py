"""Printed figures of rulebooks, held against exact odds."""

from __future__ import annotations

from astragal.audit.auditor import audit
from astragal.audit.finding import Audit, Checked, Complaint, Sum
from astragal.audit.fix import fixed

__all__ = ["Audit", "Checked", "Complaint", "Sum", "audit", "fixed"]
