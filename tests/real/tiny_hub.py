"""A Hugging Face hub on 127.0.0.1 with one model, as much of one as huggingface_hub asks for, and its faults."""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
import torch
from huggingface_hub import constants
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from specviz.config.settings import ConfigError
from specviz.models.hub import repository

REPOSITORY = "tiny/llama"
CHUNK = 2**14


def save_model(folder: Path, shard: str) -> None:
    """A random Llama and a tokenizer, weights in files of at most `shard`."""
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=64,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        LlamaForCausalLM(config).save_pretrained(folder, max_shard_size=shard)
    words = {f"w{token}": token for token in range(64)}
    PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel(words, "w0"))).save_pretrained(folder)


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Answer(NamedTuple):
    """What the hub says instead; code: the X-Error-Code header."""

    status: int
    code: str = ""


class TinyHub:
    """Serves `files` as the main branch of REPOSITORY, one commit per content.

    Attributes:
        announced: sizes the listings give where they differ from the truth.
        page: the body of every listing, whatever was asked.
        api, resolve: what is answered to every request for a listing, for a file.
        cut: how many bytes of a .safetensors one answer holds before the connection breaks, None for all.
        dies: the server is gone after such a break. resumes: it knows Range.
        requests: "METHOD /path", in order.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.requests: list[str] = []
        self._port = 0
        self.heal()
        self.start()

    def heal(self) -> None:
        self.announced: dict[str, int] = {}
        self.page: bytes | None = None
        self.api: Answer | None = None
        self.resolve: Answer | None = None
        self.cut: int | None = None
        self.dies = False
        self.resumes = True

    def start(self) -> None:
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = _Server(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def commit(self) -> str:
        return hashlib.sha1(repr(sorted(self.files.items())).encode()).hexdigest()

    @property
    def downloads(self) -> list[str]:
        """The files asked for, not only about."""
        return [line.rpartition("/")[2] for line in self.requests if line.startswith("GET") and "/resolve/" in line]

    def size(self, name: str) -> int:
        return self.announced.get(name, len(self.files[name]))


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        pass  # the other side went away, as the tests mean it to


class _Handler(BaseHTTPRequestHandler):
    hub: TinyHub
    wbufsize = -1  # one packet an answer, or the other side waits for the second

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path != "/api/agent-harnesses":  # the library's own, once per process
            self.hub.requests.append(f"{self.command} {path}")
        api, files = f"/api/models/{REPOSITORY}", f"/{REPOSITORY}/resolve/"
        revisions = ("main", self.hub.commit)
        if path.startswith(f"{api}/"):
            kind, _, revision = path.removeprefix(f"{api}/").partition("/")
            if self.hub.api is not None:
                self._refuse(self.hub.api)
            elif revision not in revisions:
                self._refuse(Answer(404, "RevisionNotFound"))
            else:
                self._json(self._info() if kind == "revision" else self._tree())
        elif path.startswith(files):
            name = path.removeprefix(files).partition("/")[2]
            if self.hub.resolve is not None:
                self._refuse(self.hub.resolve)
            elif name not in self.hub.files:
                self._refuse(Answer(404, "EntryNotFound"))
            else:
                self._file(name)
        else:
            self._refuse(Answer(404, "RepoNotFound"))

    def _info(self) -> object:
        siblings = [{"rfilename": name, "size": self.hub.size(name)} for name in self.hub.files]
        return {"id": REPOSITORY, "sha": self.hub.commit, "siblings": siblings}

    def _tree(self) -> object:
        return [
            {"type": "file", "path": name, "size": self.hub.size(name), "oid": hashlib.sha1(body).hexdigest()}
            for name, body in self.hub.files.items()
        ]

    def _refuse(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if answer.code:
            self.send_header("X-Error-Code", answer.code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _json(self, body: object) -> None:
        text = json.dumps(body).encode() if self.hub.page is None else self.hub.page
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _file(self, name: str) -> None:
        body = self.hub.files[name]
        asked = self.headers.get("Range") if self.hub.resumes else None
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        self.send_response(206 if asked else 200)
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", self.hub.commit)
        self.send_header("Content-Length", str(len(body) - start))
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        if name.endswith(".safetensors"):  # as the real one does: it would rather be asked by way of Xet
            self.send_header("X-Xet-Hash", hashlib.sha256(body).hexdigest())
            self.send_header("X-Xet-Refresh-Route", f"{self.hub.url}/xet")
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.hub.cut is None or not name.endswith(".safetensors"):
            self.wfile.write(body[start:])
            return
        self.wfile.write(body[start : self.hub.cut])
        self.wfile.flush()
        if self.hub.dies:
            self.hub.stop()


def refusal(get: Callable[..., object], *arguments: object, **more: object) -> str:
    """The one sentence with which it fails."""
    with pytest.raises(ConfigError) as caught:
        get(*arguments, **more)
    said = str(caught.value)
    assert "\n" not in said
    assert "Traceback" not in said
    assert caught.value.__cause__ is None
    return said


def shards(server: TinyHub) -> dict[str, bytes]:
    return {name: body for name, body in server.files.items() if name.startswith("model-")}


def is_right(folder: Path, server: TinyHub) -> bool:
    """Everything wanted is there, byte for byte, and nothing else."""
    wanted = {name: body for name, body in server.files.items() if name in repository.SMALL} | shards(server)
    return read_files(folder) == wanted


def recovers(server: TinyHub) -> bool:
    server.heal()
    return is_right(repository.weights(REPOSITORY), server)


def leftovers() -> list[Path]:
    return list(Path(constants.HF_HUB_CACHE).rglob("*.incomplete"))
