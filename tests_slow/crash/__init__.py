"""Crashes, full disks and stopped databases under load, at length."""
