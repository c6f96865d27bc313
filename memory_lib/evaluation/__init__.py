"""Measuring recall on published dialogue: questions, metrics, a baseline, and the run that puts them side by side."""
