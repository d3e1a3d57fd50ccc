"""Reports: what runs came to, as one page to read or as tables for other programs."""

from plait.evaluation.report.page import write_report
from plait.evaluation.report.plain import as_csv, as_json, markdown

__all__ = ["as_csv", "as_json", "markdown", "write_report"]
