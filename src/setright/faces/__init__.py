"""The faces: they translate between a protocol and the app, and decide nothing."""
