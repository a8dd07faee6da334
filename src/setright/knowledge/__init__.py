"""Knowledge: what is said of artifacts and their words, in layers, and answers that cite it."""
