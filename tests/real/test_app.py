"""app.py where Spaces run it: with their package and without, and all that crosses to a borrowed GPU is plain data.

Each test has a process of its own, as Gradio leaves event loops behind.
"""

import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = """
import io, pickle, sys
from specviz.config import ConfigError, RunConfig
from specviz.proof.findings import Question
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
config = RunConfig("Once upon a time", max_new_tokens=12, temperature=0)
"""


def passes(code: str) -> None:
    found = subprocess.run([sys.executable, "-c", CONFIG + code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_one_generation_is_what_a_space_lends_its_gpu_to_and_all_answers_are_plain_data() -> None:
    passes("""
import spaces, app
assert not {"torch", "transformers"} & set(sys.modules)
assert app.gpu is spaces.GPU
items = list(app.work("session", "stream", config))
assert [type(item) for item in items] == [Trace, *[Round] * (len(items) - 2), Trace]
assert pickle.loads(pickle.dumps(items)) == items
assert items[-1].rounds == tuple(items[1:-1])
run = app.backend.start(config)
assert run.trace().rounds == ()
rounds = list(run)
assert run.trace().stop is Stop.LENGTH
assert run.info == run.trace().info
answers = [
    app.backend.laws(config, 0, 0, rounds),
    app.backend.equal(config),
    *app.backend.race(config, rounds),
    *app.backend.prove(Question(RunConfig("Once"), n=500)),
]
assert pickle.loads(pickle.dumps(answers)) == answers
assert pickle.loads(pickle.dumps((config, rounds))) == (config, rounds)
try:
    app.backend.start(RunConfig(""))
except ConfigError as error:
    assert "the prompt is empty" in str(error)
else:
    raise AssertionError("an empty prompt was run")
""")


def test_without_their_package_it_is_the_same_app_and_a_target_wants_a_draft() -> None:
    passes("""
sys.modules["spaces"] = None
import app
assert not {"torch", "transformers"} & set(sys.modules)
assert app.gpu(print) is print
assert next(app.work("config", "check", config)) is None
sys.argv = ["app.py", "--target", "somewhere"]
sys.stderr = io.StringIO()
try:
    app.main()
except SystemExit as refusal:
    assert refusal.code == 2
    assert "--target and --draft go together" in sys.stderr.getvalue()
else:
    raise AssertionError("a target was taken without a draft")
""")


def test_a_port_in_use_and_a_pair_that_is_missing_get_one_line_and_exit_code_2(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "app.py", "--port", port]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (2, f"app.py: port {port} is in use; choose another with --port\n")
    done = subprocess.run([*command[:-1], "70000"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("app.py: error: argument --port: 70000 is none; wanted 1 to 65535\n")
    passes(f"""
import app
from pathlib import Path
app.PAIR = Path({str(tmp_path)!r})
sys.argv, sys.stderr = ["app.py"], io.StringIO()
try:
    app.main()
except SystemExit as refusal:
    assert refusal.code == 2
    assert "is missing" in sys.stderr.getvalue() and sys.stderr.getvalue().count("\\n") == 1
else:
    raise AssertionError("a page was served without a pair")
""")


def test_a_pair_that_turns_out_broken_is_one_line_of_the_log_and_the_page_goes_on() -> None:
    passes("""
import logging
import app
lines = []
class Kept(logging.Handler):
    def emit(self, said):
        lines.append(said)
logging.getLogger("specviz").addHandler(Kept())
def broken():
    raise ConfigError("counts.npz is not a readable count table")
app.backend.warm_up = broken
app._wanted.set()
app._warm_up_later()
assert [line.getMessage() for line in lines] == ["counts.npz is not a readable count table"], lines
""")
