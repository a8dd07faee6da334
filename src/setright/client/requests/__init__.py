"""Every call of the client, described once: functions that say what is sent and how the answer is read."""
