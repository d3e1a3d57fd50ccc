"""Documentation as cases: a section asks with its heading and first sentence, and what it links
answers.

Pages and doc comments are read into sections (``pages``, ``comments``), their links into marks
(``inline``), the marks are resolved against what the code defines (``resolve``), and what is left
of the words is the question (``sections``).
"""
