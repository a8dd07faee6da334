"""The commands about knowledge: texts, what is said of their words, and answers that cite it."""

from setright.faces.cli import corpora, knowledge_answers, knowledge_layers
from setright.faces.cli.wiring import group

app = group("Texts and what is said of their words: ask, and be told with citations.")

knowledge_answers.add_to(app)
corpora.add_to(app)
knowledge_layers.add_to(app)
