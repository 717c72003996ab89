"""A trace as text for a terminal: the text, then its rounds by verdict, with glyphs, plain where there is no colour."""

from collections.abc import Iterator
from statistics import median

from specviz.config.words import say, tell
from specviz.trace.guess import Emission, Verdict
from specviz.trace.info import RunInfo
from specviz.trace.metrics import summarize
from specviz.trace.pieces import joined
from specviz.trace.round import Round
from specviz.trace.run import Race, Trace

GLYPHS = {"accepted": "✓", "rejected": "✕", "resampled": "↻", "bonus": "★", "untested": "∅", "plain": ""}
_COLOURS = {
    "prompt": "2",
    "accepted": "97;48;5;29",
    "rejected": "9;30;48;5;173",
    "resampled": "97;48;5;32",
    "bonus": "30;48;5;182",
    "untested": "2;9",
    "plain": "34",
}
_UNSEEN = {"\n": "⏎", "\t": "⇥", " ": "·"}


def coloured(trace: Trace, colour: bool, every: bool = False) -> str:  # noqa: FBT001, FBT002
    """The prompt and the text as they read; then a line for each round, its tokens with the glyphs of their verdicts.

    Control characters are made visible, so that a model's text cannot control the terminal.

    Args:
        every: guesses that were not tested, or not even checked, too.
    """
    shown = [state for state in GLYPHS if every or state != "untested"]
    lines = [
        _painted("prompt", _prompt(trace), colour) + _readable(trace.text),
        "",
        "  ".join(_painted(state, f"{GLYPHS[state]} {state}", colour) for state in shown),
    ]
    for step in trace.rounds:
        tokens = [(state, GLYPHS[state] + visible(text)) for state, text in _verdicts(step) if state in shown]
        lines.append(" ".join([f"{step.index + 1:>4} ", *(_painted(*token, colour) for token in tokens)]))
    return "\n".join(lines)


def _prompt(trace: Trace) -> str:
    """The prompt; where its chat template speaks, only of how many tokens."""
    pieces, read = "", 0
    for start, end in (*trace.info.template, (len(trace.prompt), len(trace.prompt))):
        pieces += _readable(joined(trace.prompt_texts[read:start]))
        pieces += f"‹template · {end - start}›" if end > start else ""
        read = end
    return pieces


def _verdicts(step: Round) -> Iterator[tuple[str, str]]:
    for verdict in step.verdicts:
        if verdict.verdict is Verdict.ACCEPTED:
            yield "accepted", verdict.text
    for verdict in step.verdicts:
        if verdict.verdict is not Verdict.ACCEPTED:
            yield verdict.verdict.value, verdict.text
    if step.extra:
        yield step.extra.emission.value if step.verdicts else "plain", step.extra.text
    yield from ((Verdict.UNTESTED.value, cut.text) for cut in step.unchecked)


def visible(text: str) -> str:
    """The text with every space, newline and unprintable character made visible."""
    return "".join(_UNSEEN.get(letter, letter if letter.isprintable() else f"<U+{ord(letter):04X}>") for letter in text)


def _readable(text: str) -> str:
    """The same with its spaces and line breaks as they are."""
    return "".join(letter if letter in " \n\t" else visible(letter) for letter in text)


def _painted(state: str, text: str, colour: bool) -> str:  # noqa: FBT001
    return f"\x1b[{_COLOURS[state]}m{text}\x1b[0m" if colour else text


def summary(trace: Trace) -> str:
    """What the run measured, one fact a line."""
    counted = summarize(trace.rounds)
    gammas = counted.gammas or (0,)
    milliseconds = trace.prefill + sum(step.timing.whole for step in trace.rounds)
    plain = sum(step.extra is not None and not step.verdicts for step in trace.rounds)
    lines = [
        f"{trace.info.config.drafter} → {tell(trace.info.target)} on {trace.info.device}, {trace.info.dtype}",
        f"{counted.emitted} tokens in {counted.rounds} rounds, {_two(counted.tokens_per_pass)} a target pass; "
        f"stopped by {trace.stop.value}{_completed(trace)}",
        f"γ {_two(counted.mean_gamma)} on average, {min(gammas)} to {max(gammas)}",
        f"accepted {counted.accepted} of {counted.tested} tested (α {_two(counted.alpha)}), "
        f"of {counted.drafted} drafted ({_two(counted.accepted_of_drafted)}), "
        f"of {counted.emitted} emitted ({_two(counted.accepted_of_emitted)})",
        f"{counted.resampled} {Emission.RESAMPLED.value}, {counted.bonus - plain} {Emission.BONUS.value}"
        + (f", {plain} plain step{'s' if plain > 1 else ''}" if plain else "")
        + (f", {counted.zero_residuals} with nothing left to resample from" if counted.zero_residuals else ""),
        f"{milliseconds:.0f} ms, recording included",
    ]
    if trace.race:
        lines.append(_raced(trace.race, counted.emitted))
    if asked := " ".join(_asked(trace.info)):
        lines.append(asked)
    if not trace.info.traits.lossless:
        lines.append(f"lossy: under {trace.info.rule} the text does not have the target's distribution")
        if trace.info.ensemble and counted.distance is not None:
            lines.append(f"where a guess was judged, v is {counted.distance:.3f} from the target's p on average (TVD)")
    return "\n".join(lines)


def _asked(info: RunInfo) -> Iterator[str]:
    """What the model's generation_config.json asked for, and what of it held."""
    if not info.generation:
        return
    for part in ("held", "own", "left"):
        if asked := info.generation.asked(part):
            plain = part == "left" and info.config.generation == "plain"
            yield say(f"common.generation.{'plain' if plain else part}", asked=asked)


def _completed(trace: Trace) -> str:
    """Which string ended the text, if one did."""
    return f" {trace.rounds[-1].stop_string!r}" if trace.rounds and trace.rounds[-1].stop_string else ""


def _raced(race: Race, made: int) -> str:
    """The race: each lap beside the one of plain decoding that came with it, a token against a token."""
    shares = [made / len(race.tokens) * plain / lap for plain, lap in zip(race.plain_laps, race.laps, strict=True)]
    speculative, plain = median(race.laps), median(race.plain_laps)
    times = plain / len(race.tokens) / (speculative / made)
    return (
        f"race: {speculative:.0f} ms, plain decoding {plain:.0f} ms: {times:.2f}× plain decoding's speed "
        f"({min(shares):.2f} to {max(shares):.2f} in {len(shares)} laps)"
    )


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
