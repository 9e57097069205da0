"""The wheel in an empty environment: a small install runs what needs no extra, and says which extra the rest needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from croupier.extras import EXTRAS, MissingExtraError, needs
from tests.helpers import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HEAVY = {"numpy", "numba", "msgspec", "typer", "rich", "sqlalchemy", "fastapi", "matplotlib"}
RUNS = (
    ("games",),
    ("odds", "blackjack", "lucky_lucky", "--decks", "2"),
    ("strategy", "casino_war"),
    ("simulate", "mini_baccarat", "--wagers", "tie", "--rounds", "1e5"),
    ("play", "casino_war", "--seat", "main=10", "--cards", "Kh 9s"),
    ("check", "--game", "casino_war"),
    ("sheet", "blackjack", "lucky_lucky", "--no-effects"),
)
SUPPORTED = tuple(
    line.rpartition(" ")[2]
    for line in PROJECT["classifiers"]
    if line.startswith("Programming Language :: Python :: 3.")
)
NOT_IN_BASE = ("markupsafe", "jinja2", "fastapi", "sqlalchemy", "matplotlib", "typst", "distributed", "gymnasium")
LACKS = {
    ("serve",): "floor",
    ("jackpot", "meters"): "floor",
    ("plot", "outcomes", "blackjack", "lucky_lucky", "--svg", "plot.svg"): "plots",
    ("sheet", "blackjack", "lucky_lucky", "--no-effects", "--pdf", "sheet.pdf"): "paper",
}


def test_the_import_loads_nothing_heavy() -> None:
    code = "import sys, croupier; print(*[name for name in sys.modules if '.' not in name])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "croupier" in loaded
    assert HEAVY & set(loaded) == set()


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_is_named_in_two_sentences(extra: str) -> None:
    with pytest.raises(MissingExtraError) as missing, needs(extra):
        raise ModuleNotFoundError(name="thing.part")
    said = f"The package thing.part is missing. It is needed for {EXTRAS[extra]}: pip install 'croupier[{extra}]'."
    assert str(missing.value) == said


BASE = f"""
import sys
class Missing:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] in {NOT_IN_BASE}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Missing())
"""
"""What a small install lacks, taken from one that has it."""


def test_commands_and_notebooks_need_no_extra() -> None:
    """The quick form of what the wheel shows below."""
    tries = """
import croupier
from croupier.cli import check, games, odds, play, simulate, sheet, strategy, terminal
game = croupier.game("blackjack")
for result in (game, game.odds("lucky_lucky"), game.sheet("lucky_lucky", effects=False)):
    print(result._repr_html_()[:1])
"""
    done = subprocess.run([sys.executable, "-c", BASE + tries], check=False, capture_output=True, text=True)
    assert (done.stderr, done.stdout.split()) == ("", ["<"] * 3)


@pytest.mark.parametrize(
    ("names", "what", "extra"),
    [
        ({"png": "a.png"}, "picture", "plots"),
        ({"pdf": "a.pdf"}, "picture", "plots"),
        ({"pdf": "a.pdf"}, "sheet", "paper"),
    ],
)
def test_what_draws_is_asked_for_before_anything_is_computed(names: dict[str, str], what: str, extra: str) -> None:
    tries = f"""
from croupier.cli.screen import files_to_write
from croupier.extras import MissingExtraError
assert files_to_write({{"csv": "a.csv"}}, "sheet")
try:
    files_to_write({names}, {what!r})
except MissingExtraError as missing:
    print(missing)
"""
    done = subprocess.run([sys.executable, "-c", BASE + tries], check=False, capture_output=True, text=True)
    assert (done.stderr, done.stdout.strip().endswith(f"'croupier[{extra}]'.")) == ("", True)


def test_extras_and_dev_agree() -> None:
    """Whoever has `dev` can try every extra but that of a GPU."""
    extras = PROJECT["optional-dependencies"]
    dev = set(extras["dev"])
    lacking = {name: set(extras[name]) - dev for name in extras if name not in ("dev", "gpu")}
    assert lacking == {name: set() for name in lacking}
    assert any(line.startswith("numba>=") and ",<" in line for line in PROJECT["dependencies"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once, for all Pythons."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(folder)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return folder / done.stdout.split()[-1]


def python_of(version: str) -> str | None:
    """A Python at hand of a version: on the path, or among those of pyenv, whose shims may lead nowhere."""
    installed = Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
    code = "import sys, venv; print(f'{sys.version_info[0]}.{sys.version_info[1]}')"
    for program in (f"python{version}", *map(str, installed)):
        try:
            done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
        except OSError:
            continue
        if done.stdout.strip() == version:
            return program
    return None


HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
PYTHONS = [HERE, *(pytest.param(one, marks=pytest.mark.soak) for one in SUPPORTED if one != HERE)]
"""Each of the others takes as long again."""


@pytest.fixture(scope="module", params=PYTHONS)
def empty(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment's programs, into which the wheel was installed with what it asks for."""
    python = sys.executable if request.param == HERE else python_of(request.param)
    if python is None:
        pytest.skip(f"there is no Python {request.param} here")
    folder = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--no-compile"]
    quiet = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    subprocess.run([*pip, *quiet, str(wheel)], check=True, capture_output=True, timeout=300)
    return folder / "bin"


def run(empty: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the installed program; nothing of this tree is on its path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(empty / "croupier"), *words],
        check=False,
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
def test_a_small_install_plays_and_computes(empty: Path) -> None:
    said = {words: run(empty, *words) for words in RUNS}
    assert {
        words: (done.returncode, done.stderr) for words, done in said.items() if done.returncode not in (0, 3)
    } == {}
    assert "5.39033%" in said[RUNS[1]].stdout


@pytest.mark.slow
def test_what_a_small_install_lacks_says_which_extra_to_install(empty: Path) -> None:
    for words, extra in LACKS.items():
        done = run(empty, *words)
        assert (words, done.returncode, done.stdout) == (words, 2, "")
        assert done.stderr.startswith("croupier: missing_extra: ")
        assert done.stderr.endswith(f"pip install 'croupier[{extra}]'.\n")


@pytest.mark.slow
def test_a_small_install_is_a_library(empty: Path) -> None:
    code = "import croupier; print(croupier.game('casino_war').odds('tie').edge)"
    done = subprocess.run([str(empty / "python"), "-I", "-c", code], capture_output=True, text=True, check=True)
    assert "/" in done.stdout
