"""What `pip install .` installs: every module, and every asset but the player's tests; it runs from another folder."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("specviz", "assets", "pyproject.toml", "requirements.txt", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in a copy, since building leaves files behind."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, source / part)
    command = [sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--no-build-isolation", "-w", str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = built.glob("*.whl")
    return found


def test_it_holds_every_module_and_every_asset_and_an_entry_point(wheel: Path) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "specviz").rglob("*.py")}
    assets = {f"specviz/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "assets").rglob("*") if path.is_file()}
    wanted = modules | {path for path in assets if not path.endswith(".test.js")} | {"specviz/py.typed"}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("specviz/")}
        (entry,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert b"specviz = specviz.__main__:main" in archive.read(entry)
    assert held == wanted


def test_its_packages_are_the_folders_with_modules() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "specviz").rglob("*.py")}
    assert sorted(listed) == sorted([*(".".join(folder.parts) for folder in folders), "specviz.assets"])


@pytest.mark.long
def test_installed_it_finds_its_assets_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    code = f"""
import sys
sys.path.insert(0, {str(installed)!r})
from specviz.__main__ import main
from specviz.shipped import ASSETS
from specviz.ui import page, player, theme
from specviz.models.pair import EMBEDDED
assert {str(installed)!r} in str(ASSETS)
assert page.shipped_traces(ASSETS / "traces")[0]
assert (EMBEDDED / "target" / "tokenizer.json").exists()
raise SystemExit(main(["check", str(ASSETS / "traces" / "code-ngram.json")]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=elsewhere, env={"PATH": ""}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("sound: ")
