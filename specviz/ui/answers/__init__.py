"""The answers to the page's questions, apart from runs. One module for each kind of question."""
