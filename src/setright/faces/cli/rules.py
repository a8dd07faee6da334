"""The commands about rules in force."""

from setright.faces.cli import rules_files
from setright.faces.cli.wiring import group

app = group("The rules in force that agents follow.")
rules_files.add_to(app)
