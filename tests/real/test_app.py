"""The page over the real engine, with and without Spaces' package; all that crosses to a borrowed GPU is plain data.

Each test has processes of its own, as Gradio leaves event loops behind.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = """
import io, pickle, sys
from specviz.config.settings import HOME, ConfigError, RunConfig
from specviz.proof.findings import Question
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
config = RunConfig("Once upon a time", max_new_tokens=12, temperature=0)
"""


def passes(code: str) -> None:
    found = subprocess.run([sys.executable, "-c", CONFIG + code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_a_space_lends_its_gpu_to_one_function_and_all_answers_are_plain_data() -> None:
    passes("""
import spaces
from specviz import local, serve
assert not {"torch", "transformers"} & set(sys.modules)
assert local.gpu is spaces.GPU
assert pickle.loads(pickle.dumps(local.decode)) is local.decode
items = list(local.on_gpu(local.decode, config, HOME))
assert [type(item) for item in items] == [Trace, *[Round] * (len(items) - 2), Trace]
assert pickle.loads(pickle.dumps(items)) == items
assert items[-1].rounds == tuple(items[1:-1])
backend = local.LocalBackend()
first, *rounds, whole = backend.start(config)
assert (first.rounds, whole.rounds) == ((), tuple(rounds))
assert whole.stop is Stop.LENGTH
assert first.info == whole.info
answers = [
    backend.equal(config),
    *backend.race(config, rounds),
    *backend.prove(Question(RunConfig("Once"), n=500)),
]
assert pickle.loads(pickle.dumps(answers)) == answers
assert pickle.loads(pickle.dumps((config, rounds))) == (config, rounds)
try:
    next(backend.start(RunConfig("")))
except ConfigError as error:
    assert "the prompt is empty" in str(error)
else:
    raise AssertionError("an empty prompt was run")
""")


def test_without_spaces_package_the_same_functions_run_without_torch_and_a_broken_pair_is_one_line_of_the_log() -> None:
    passes("""
import logging
sys.modules["spaces"] = None
from specviz import local, serve
assert not {"torch", "transformers"} & set(sys.modules)
assert local.gpu(print) is print
assert next(local.on_gpu(iter, [1])) == 1
lines = []
class Listener(logging.Handler):
    def emit(self, said):
        lines.append(said)
logging.getLogger("specviz").addHandler(Listener())
class Broken(local.LocalBackend):
    def warm_up(self):
        raise ConfigError("counts.npz is not a readable count table")
local.first_use.set()
serve.warm_up_later(Broken())
assert [line.getMessage() for line in lines] == ["counts.npz is not a readable count table"], lines
""")


def test_what_cannot_be_served_gets_one_line_and_exit_code_2(tmp_path: Path) -> None:
    passes(f"""
import runpy, socket
taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()
port = str(taken.getsockname()[1])
from pathlib import Path
from specviz import serve
from specviz.__main__ import main
for options, said in (
    (["--port", port], f"app.py: port {{port}} is in use; choose another with --port\\n"),
    (["--port", "70000"], "app.py: error: argument --port: 70000 is none; wanted 1 to 65535\\n"),
    (["--draft", "somewhere"], "app.py: --draft and --head go with --target, the model that they guess for\\n"),
):
    sys.argv, sys.stderr = ["app.py", *options], io.StringIO()
    try:
        runpy.run_path("app.py", run_name="__main__")
    except SystemExit as end:
        assert end.code == 2
    else:
        raise AssertionError("it went on")
    assert sys.stderr.getvalue().endswith(said), sys.stderr.getvalue()
serve.PAIR = Path({str(tmp_path)!r})
sys.stderr = io.StringIO()
assert main(["page"]) == 2
assert "is missing" in sys.stderr.getvalue() and sys.stderr.getvalue().count("\\n") == 1
""")
