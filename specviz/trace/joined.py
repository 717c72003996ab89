"""The player's modules as one script, which holds only what that script asks for. Standard library only.

A module becomes a function that is called once, behind those it imports. Of its statements stand in there those that
declare nothing, and the declarations that a kept one names; any word that is the declared name counts as naming it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_IMPORT = re.compile(r"^import (\{[^}]*\}|\* as \w+) from '(\.[^']+)';$", re.MULTILINE)
_AGAIN = re.compile(r"^export (\{[^}]*\}) from '(\.[^']+)';$", re.MULTILINE)
_DECLARED = re.compile(r"(?:(?:async )?function|class|const|let) (\w+|[\[{][\w,:\s]+[\]}])")
_LEFT = re.compile(r"(?:import|export)\b.*")
_COMMENT = re.compile(r"^\s*(?:/\*.*?\*/|//.*?$)\n?", re.MULTILINE | re.DOTALL)
_NEXT = re.compile(r"\n(?=[^\s)\]}`])")
"""Where a statement of a module ends: Prettier indents all of it but its last line."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
ALL = "*"


@dataclass(frozen=True)
class Module:
    """A module's parts.

    Attributes:
        statements: without imports, and without the word `export`.
        declared: a name, and which statement declares it.
        bound: a name that is imported, its module, and the name it has there; ALL for an object of everything.
        exported: names that others may import.
    """

    statements: tuple[str, ...]
    declared: Mapping[str, int]
    bound: Mapping[str, tuple[Path, str]]
    exported: frozenset[str]


def joined(entry: Path, instead: Mapping[Path, str]) -> str:
    """The script of a module and of all that it imports, inside an async function.

    Args:
        instead: texts that take the place of modules.
    """
    modules: dict[Path, Module] = {}
    _collect(entry, modules, (), instead)
    kept = _kept(modules)
    numbers = {path: number for number, path in enumerate(path for path in modules if kept[path])}
    return "".join(_function(modules, path, kept, numbers) for path in numbers)


def short(code: str) -> str:
    """Code without comments, empty lines and indentation."""
    return "\n".join(line.strip() for line in _COMMENT.sub("", code).splitlines() if line.strip())


def _collect(path: Path, modules: dict[Path, Module], above: tuple[Path, ...], instead: Mapping[Path, str]) -> None:
    """Adds a module behind those it imports."""
    if path in above:
        raise ValueError(f"{path.name} imports itself by way of others")
    if path in modules:
        return
    module = _read(path, instead.get(path) or path.read_text(encoding="utf-8"))
    for target, _ in module.bound.values():
        _collect(target, modules, (*above, path), instead)
    modules[path] = module


def _read(path: Path, text: str) -> Module:
    bound: dict[str, tuple[Path, str]] = {}
    exported: set[str] = set()
    declared: dict[str, int] = {}
    text = _COMMENT.sub("", text)
    for pattern in (_IMPORT, _AGAIN):
        for names, target in pattern.findall(text):
            parts = [each.split() for each in names.strip("{}").split(",") if each.strip()]
            some = {part[-1]: ((path.parent / target).resolve(), part[0]) for part in parts}
            bound |= some
            exported |= some.keys() if pattern is _AGAIN else set()
    statements = [each for each in _NEXT.split(_AGAIN.sub("", _IMPORT.sub("", text)).strip("\n")) if each.strip()]
    for index, each in enumerate(statements):
        statements[index] = each.removeprefix("export ")
        if found := _DECLARED.match(statements[index]):
            names = dict.fromkeys(_WORD.findall(found[1]), index)
            declared |= names
            exported |= names.keys() if each.startswith("export ") else set()
        elif left := _LEFT.match(each):
            raise ValueError(f"{path.name} has a line that cannot be joined: {left[0]}")
    return Module(tuple(statements), declared, bound, frozenset(exported))


def _kept(modules: Mapping[Path, Module]) -> dict[Path, set[str]]:
    """The names of each module that are needed, its own and those it imports; the empty one: what declares nothing."""
    kept: dict[Path, set[str]] = {path: set() for path in modules}
    wanted: list[tuple[Path, str]] = []
    for path, module in modules.items():
        for index, text in enumerate(module.statements):
            if index not in module.declared.values():
                wanted += [(path, ""), *((path, name) for name in _WORD.findall(text))]
    while wanted:
        path, name = wanted.pop()
        module = modules[path]
        if name in kept[path] or (name and name not in module.declared and name not in module.bound):
            continue
        kept[path].add(name)
        if name in module.bound:
            target, there = module.bound[name]
            wanted += [(target, each) for each in (modules[target].exported if there == ALL else (there,))]
        elif name:
            wanted += [(path, each) for each in _WORD.findall(module.statements[module.declared[name]])]
    return kept


def _function(
    modules: Mapping[Path, Module], path: Path, kept: Mapping[Path, set[str]], numbers: Mapping[Path, int]
) -> str:
    module, names = modules[path], kept[path]
    imports = {name: module.bound[name] for name in sorted(names) if name in module.bound}
    lines = []
    for target in dict.fromkeys(target for target, _ in imports.values()):
        here = [(name, there) for name, (where, there) in imports.items() if where == target]
        parts = ", ".join(name if name == there else f"{there}: {name}" for name, there in here if there != ALL)
        lines += [f"const {name} = module{numbers[target]};" for name, there in here if there == ALL]
        lines += [f"const {{ {parts} }} = module{numbers[target]};"] if parts else []
    unnamed = set(range(len(module.statements))) - set(module.declared.values())
    stand = unnamed | {module.declared[name] for name in names if name in module.declared}
    lines += [short(module.statements[index]) for index in sorted(stand)]
    out = ", ".join(sorted(module.exported & names))
    body = "\n".join(lines)
    return f"const module{numbers[path]} = await (async () => {{\n{body}\nreturn {{ {out} }};\n}})();\n"
