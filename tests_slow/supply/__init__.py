"""What is locked, as others read it: the bill of materials, and what advisories say of it."""
