import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../../base/statistics.js';
import { besidePin } from './ruler.js';
import { ALL, close, everywhere, value } from '../../../../tests/golden/scenes.js';

test('in every figure p sums to 1, q sums to 1, and blue, amber and what is left over are 1 minus the overlap', () => {
  everywhere(({ figure }) => {
    if (!figure) return;
    const whole = figure.weight ?? 1;
    const has = (side) => figure.rows.some((row) => row[side] !== null);
    if (has('p')) close(sum(figure.rows.map(({ p }) => p)), whole, 'p');
    if (has('q')) close(sum(figure.rows.map(({ q }) => q)), 1, 'q');
    if (figure.overlap === null) return;
    close(sum(figure.rows.map(({ overlap }) => overlap)), figure.overlap, 'overlap');
    close(sum(figure.rows.map(({ residual }) => residual)), figure.left, 'blue');
    close(sum(figure.rows.map(({ q, overlap }) => q - overlap)), 1 - figure.overlap, 'amber');
    close(figure.overlap + figure.left, whole, 'whole');
  });
});

test('how many other tokens there are is told once, by the figure', () => {
  everywhere(({ ruler }) =>
    ruler.segments
      .filter(({ role, label }) => role === 'others' && label)
      .forEach(({ label }) => assert.doesNotMatch(label, /\d/)),
  );
});

test('a ruler sums to 1 and its dart lies in the segment that was hit', () => {
  everywhere(({ ruler }, { kind }, round, { name }) => {
    assert.equal(typeof ruler.title, 'string', `${name} ${kind}`);
    if (!ruler.segments.length) return;
    ruler.segments.forEach(({ start }, index) =>
      close(
        start,
        index ? ruler.segments[index - 1].start + ruler.segments[index - 1].share : 0,
        'start',
        2e-5,
      ),
    );
    close(sum(ruler.segments.map(({ share }) => share)), 1, `${name} ${kind}`);
    if (ruler.dart === null) return;
    const hit = ruler.segments.findIndex((segment) => segment.hit);
    const low = sum(ruler.segments.slice(0, hit).map(({ share }) => share));
    assert.ok(
      ruler.dart > low - 1e-5 && ruler.dart < low + ruler.segments[hit].share + 1e-5,
      `${name} ${kind}: ${ruler.dart} outside ${low} + ${ruler.segments[hit].share}`,
    );
  });
});

test('a guess stands on q’s ruler as wide as its q, though it be hidden in the rest', () => {
  let hidden = 0;
  everywhere(({ ruler, figure }, { kind, slot }, { verdicts }) => {
    if (kind !== 'draft' || ruler.kind !== 'q' || !figure) return;
    const { segments } = ruler;
    const hit = segments.findIndex((segment) => segment.hit);
    const start = sum(segments.slice(0, hit).map(({ share }) => share));
    const wide = ({ low, high, q }) =>
      Math.abs(high - low - segments[hit].share) < 1e-5 && Math.abs(q - segments[hit].share) < 1e-5;
    assert.ok(
      verdicts.some((guess) => wide(guess) && Math.abs(guess.low - start) < 1e-4),
      `${segments[hit].label} is ${segments[hit].share} wide, guess ${slot}`,
    );
    hidden += hit > 0 && segments[hit - 1].label === segments.at(-1).label;
  });
  assert.ok(hidden > (ALL ? 20 : 0), `${hidden} guesses stand among the rest`);
});

test('the target’s own token stands on its ruler as wide as its share, though nobody could see it', () => {
  let thin = 0;
  everywhere(({ ruler }, { kind }, { extra }) => {
    if ((kind !== 'replace' && kind !== 'bonus') || ruler.kind === 'none') return;
    const [hit] = ruler.segments.filter((segment) => segment.hit);
    assert.equal(hit.token, extra.token);
    assert.ok(ruler.dart >= hit.start - 1e-5 && ruler.dart <= hit.start + hit.share + 1e-5);
    close(hit.share, extra.high - extra.low, hit.callout, 1e-5);
    assert.equal(/drawn wider than it is/.test(hit.callout), hit.share < 0.004);
    thin += hit.share < 0.004;
  });
  assert.ok(thin > (ALL ? 5 : 0), `${thin} own tokens are slivers`);
});

test('what is left of p is printed as the numbers that make it, and stretched by one over them', () => {
  let seen = 0;
  everywhere(({ sum: entries, ruler, figure }, { kind }) => {
    if (kind === 'residual') {
      const [mass, stretch] = entries;
      close(value(mass.terms.at(-1)) / ruler.bracket.was, 1, 'mass', 0.006);
      close(
        value(stretch.terms.at(-1).replace(/[×,=]/g, '')) * value(mass.terms.at(-1)),
        1,
        'stretch',
        0.011,
      );
      close(figure.left, ruler.bracket.was, 'blue');
      assert.ok(ruler.segments.every(({ hit }) => !hit) && ruler.dart === null, 'nothing is given away');
    }
    if (kind !== 'replace' || ruler.kind !== 'residual') return;
    const { terms } = entries[0];
    const [top, bottom] = terms.filter(({ frac }) => frac)[1].frac.map(([text]) => value(text));
    close(top / bottom / value(terms.at(-1)), 1, 'share', 0.011);
    seen += 1;
  });
  assert.ok(seen > 0);
});

test('no pin stands on the label of its segment', () => {
  const reject = { share: 0.8, start: 0.2 };
  for (let dart = 0.2; dart < 1; dart += 0.01) {
    const middle = 600 + besidePin(reject, dart, 1000, 60);
    assert.ok(Math.abs(middle - 1000 * dart) >= 33, `${dart}`);
    assert.ok(middle - 30 >= 200 && middle + 30 <= 1000, `${dart}`);
  }
  assert.equal(besidePin(reject, 0.3, 1000, 60), 0);
  assert.equal(besidePin({ share: 0.1, start: 0.2 }, 0.25, 1000, 60), null, 'no room on either side');
  assert.equal(besidePin(reject, null, 1000, 60), 0);
});
