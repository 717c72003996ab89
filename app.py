"""Starts the page; Hugging Face Spaces runs this file as it is. `specviz page` is the same as a command."""

from specviz.commands.page import main

if __name__ == "__main__":
    main()
