/**
 * exact.js: German for tabs/losslessness/words.js. Pure.
 */

import { plainName } from '../../base/format.js';
import { RULES } from '../../base/de/grammar.js';

const TOKENS = { first: 'erste Token', second: 'zweite Token', bonus: 'Bonus-Token' };
const after = (position) => (position === '0' ? 'nach dem Prompt' : `nach Token ${position} dieses Laufs`);

export const finding = {
  question: 'Ist die Ausgabe wirklich verteilt wie das Zielmodell?',
  title: 'Was gezogen wird',
  asks: {
    first: (position) =>
      `Der echte Code zum Annehmen und Ablehnen wählt das erste Token ${after(position)}, immer wieder.`,
    second: (position) =>
      `Dasselbe für das zweite Token ${after(position)}, wo immer das wahrscheinlichste Token zuerst kommt.`,
    bonus: (position) =>
      `Dasselbe für das Bonus-Token ${after(position)}, wo immer der Vorschlag davor angenommen wird.`,
  },
  place: 'Nach',
  places: {
    prompt: 'dem Prompt',
    here: (position) => (position === '0' ? 'hier: dem Prompt' : `hier: Token ${position}`),
  },
  law: 'Token',
  laws: { first: 'erstes', second: 'zweites', bonus: 'Bonus' },
  n: 'Ziehungen',
  samples: (n) => `${n} Ziehungen`,
  seed: 'Seed',
  bug: 'Sabotage',
  real: 'keine (korrekter Algorithmus)',
  bugs: {
    'accept-always': 'Jeden Vorschlag annehmen',
    'resample-from-p': 'Ersatz aus p ziehen',
    'keep-testing': 'Nach einer Ablehnung weiterprüfen',
    'q-before-temperature': 'q von vor der Temperatur nehmen',
    'bonus-from-wrong-row': 'Bonus aus der falschen Zeile nehmen',
    'one-number': 'Eine Zufallszahl zweimal nutzen',
  },
  whys: {
    'accept-always':
      'Jeder Vorschlag wird angenommen, also ist der Text der des Entwurfsmodells: Was es überschätzt, wird nie ausgeglichen.',
    'resample-from-p':
      'Angenommene Vorschläge liefern schon min(p, q). Aus dem ganzen p gezogen, kommt das ein zweites Mal.',
    'keep-testing':
      'Spätere Vorschläge folgen einem Token, das weg ist. Wird einer angenommen, bleibt kein Platz für den Ersatz, der allein liefert, was das Entwurfsmodell unterschätzt.',
    'q-before-temperature':
      'Der Vorschlag wurde aus der einen Verteilung gezogen und wird an einer anderen geprüft. Bei Temperatur 1 sind beide gleich, und der Fehler verbirgt sich.',
    'bonus-from-wrong-row':
      'Der Bonus muss dem letzten Vorschlag folgen. Hier wird er aus der Zeile davor gezogen, die diesen Vorschlag nie sah.',
    'one-number':
      'Eine Ablehnung sagt schon, dass die Zahl groß ist. Mit ihr den Ersatz zu ziehen, erreicht nur das hintere Ende des Rests.',
  },
  draw: 'Ziehen',
  compare: 'Mit einfachem Dekodieren vergleichen',
  waiting: 'In der Warteschlange.',
  done: (done, n) => `${done} von ${n} Ziehungen`,
  cancelled: 'Abgebrochen.',
  refused: (reason) => `Nichts gezogen: ${reason}.`,
  broke: 'Die Engine brach ab; Näheres im Protokoll des Servers.',
  nothing:
    '„Ziehen“ drücken: Der echte Code zum Annehmen und Ablehnen läuft 2,000-mal an dieser einen Position; die Punkte sollten auf den blauen Balken landen.',
  why: 'Warum nichts verloren geht ↓',
  hereOf: (run) => `Dieser Server, gerade eben: ${run}`,

  answer: (high, n) =>
    `Abstand zur Verteilung des Zielmodells nach ${n} Ziehungen. Reiner Zufall ergibt bis zu ${high}.`,
  impossibleAnswer: (n) => `von ${n} Ziehungen sind Token, die das Zielmodell nie schreibt.`,
  about: (law, position, given) =>
    `Das ${TOKENS[law]} ${after(position)}${given ? `, hinter „${given}“` : ''}`,
  same: (n, p) => `Kein Anzeichen für einen Unterschied bei N = ${n} (p-Wert ${p}).`,
  lossy: {
    nothing:
      'Die Regel dieses Laufs ist verlustbehaftet. „Ziehen“ drücken: Der echte Code läuft 2,000-mal an dieser einen Position, und die Punkte verfehlen die blauen Balken.',
    shows:
      'Diese Regel ist mit Absicht verlustbehaftet: Jeder Vorschlag, der wahrscheinlich genug ist, besteht, also geht die Verteilung des Zielmodells verloren. Der Abstand ist der Preis.',
    hides:
      'Diese Regel ist verlustbehaftet, aber an diesem Token zeigt es sich nicht. Am ersten zeigt es sich an den meisten Positionen.',
  },
  different: (p, reason) => `Verschieden (p-Wert ${p}): ${reason}.`,
  worst: (chi2, bins, token, share, p) =>
    `${token} kam in ${share} der Ziehungen vor, das Zielmodell gibt ihm ${p}; χ² = ${chi2} in ${bins} Klassen`,
  impossible: (many, n) => `${many} von ${n} Ziehungen sind Token, die das Zielmodell nie schreibt`,
  hides: (law, n) =>
    `Der Fehler ist da, aber diese Prüfung zeigt ihn nicht. Das ${TOKENS[law]} zeigt ihn, mit mindestens ${n} Ziehungen.`,
  others: 'andere Token',
  columns: { token: 'Token', p: 'p (Ziel)', share: 'Ziehungen', range: 'durch Zufall' },
  legend: {
    p: 'p des Zielmodells',
    share: 'Anteil der Ziehungen',
    whisker: 'wohin 95 % durch Zufall fallen',
    outside: 'außerhalb',
  },
  numbers: {
    distance: [
      'Abstand',
      (tvd, median, high) =>
        `${tvd} (reiner Zufall ergibt bis zu ${high}, in der Hälfte der Fälle weniger als ${median})`,
    ],
    chi2: ['Chi-Quadrat', (chi2, bins, p) => `${chi2} in ${bins} Klassen, p-Wert ${p}`],
    rounds: [
      'Runden',
      (rounds, rule, accepted, overlap) =>
        `${rounds}: ${accepted} der ersten Vorschläge angenommen, ${{ coupled: 'höchstens', typical: 'verlustfrei höchstens' }[rule] ?? 'erwartet'} ${overlap}`,
    ],
    seed: ['Seed', (seed) => seed],
    drafter: [
      'Entwurfsmodell',
      (drafter, temperature) =>
        `${plainName(drafter)}, ${temperature === '0' ? 'greedy' : `T = ${temperature}`}`,
    ],
    rule: ['Regel', (rule, bug) => `${RULES[rule] ?? rule}${bug ? `, sabotiert: ${bug}` : ''}`],
  },

  equality: {
    title: 'Der ganze Lauf gegen einfaches Dekodieren',
    asked: 'Der Lauf wird auf beide Arten dekodiert.',
    answer: (differs, tokens) =>
      differs === null
        ? [tokens, 'Token, jedes so, wie einfaches Dekodieren es schreibt.']
        : [`Token ${differs + 1}`, 'ist das erste, das einfaches Dekodieren anders schreibt.', 'different'],
    equal: (tokens) =>
      `Gleich: Alle ${tokens} Token sind die, die einfaches Dekodieren mit demselben Zielmodell schreibt.`,
    tie: (at, gap, error) =>
      `Erster Unterschied bei Token ${at}: ein numerischer Gleichstand. Der Abstand ${gap} ist kleiner als das 4-Fache des gemessenen Rundungsfehlers ${error}.`,
    bug: (at, gap, error) =>
      `Erster Unterschied bei Token ${at}: ein Fehler. Der Abstand ${gap} ist mindestens das 4-Fache des gemessenen Rundungsfehlers ${error}.`,
    shown: (from, to, tokens) => `Token ${from} bis ${to} von ${tokens}`,
    rows: { speculative: 'spekulativ', plain: 'einfach' },
    logits: 'Logits der beiden Token dort',
    columns: (speculative, plain) => [
      'Durchlauf',
      `spekulativ: ${speculative}`,
      `einfach: ${plain}`,
      'Abstand',
    ],
    passes: ['viele Token zugleich', 'ein Token'],
  },
};

export const proof = {
  title: 'Warum nichts verloren geht',
  claim:
    'Was das Entwurfsmodell auch glaubt: Ein Token x kommt mit genau der Wahrscheinlichkeit p(x) heraus, die das Zielmodell ihm gibt. Dafür gibt es zwei Wege: vorgeschlagen und angenommen, oder nach einer Ablehnung gezogen.',
  unknown:
    'An dieser Position wurde kein Vorschlag geprüft, also gibt es kein p und q zum Vergleich. Unten lässt sich eine eigene Zeile eintippen.',
  kinds: {
    enough: {
      title: 'p(x) ≤ q(x)',
      about: 'so oft vorgeschlagen, wie das Zielmodell es will, oder öfter',
      none: 'Kein Token dieser Zeile hat p ≤ q.',
    },
    short: {
      title: 'p(x) > q(x)',
      about: 'seltener vorgeschlagen, als das Zielmodell es will',
      none: 'Kein Token dieser Zeile hat p > q.',
    },
  },
  mass: (overlap, z) => [
    'So oft wird ein Vorschlag abgelehnt, und so viel Wahrscheinlichkeit ließ das Entwurfsmodell aus:',
    `Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − ${overlap} = ${z}`,
  ],
  noMass: [
    'p und q sind gleich, also wird nie ein Vorschlag abgelehnt:',
    'Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − 1 = 0',
  ],
  lines: {
    guessed: (q) => ['x wird vorgeschlagen mit', `q(x) = ${q}`],
    never: ['x wird nie vorgeschlagen', 'q(x) = 0'],
    sometimes: (p, q, share) => ['und dann angenommen mit', `p(x)/q(x) = ${p}/${q} = ${share}`],
    kept: (p, q) => [
      'Vorgeschlagen und angenommen',
      `P(x angenommen) = q(x) · p(x)/q(x) = ${q} · ${p}/${q} = ${p}`,
    ],
    always: (q) => [
      'und dann immer angenommen, also vorgeschlagen und angenommen',
      `P(x angenommen) = q(x) · 1 = ${q} · 1 = ${q}`,
    ],
    notDrawn: ['Nach einer Ablehnung wird es nie gezogen', 'max(0, p(x) − q(x)) = 0'],
    refused: (z) => ['Irgendein Vorschlag wird abgelehnt mit', `Z = ${z}`],
    share: (p, q, z, share) => [
      'und dann wird x gezogen mit',
      `(p(x) − q(x))/Z = (${p} − ${q})/${z} = ${share}`,
    ],
    drawn: (z, share, excess) => [
      'Abgelehnt, und x gezogen',
      `P(x gezogen) = Z · (p(x) − q(x))/Z = ${z} · ${share} = ${excess}`,
    ],
    together: (kept, drawn, p) => ['Zusammen', `P(Ausgabe = x) = ${kept} + ${drawn} = ${p} = p(x)`],
  },
  conclusion: [
    'Eins von beiden gilt für jedes Token, also hat die Ausgabe die Verteilung des Zielmodells:',
    'P(Ausgabe) = p',
  ],
  account: 'Woher die Wahrscheinlichkeit jedes Tokens kommt',
  caption: { slot: 'An dieser Position', typed: 'In der eigenen Zeile' },
  columns: {
    token: 'x',
    p: 'p',
    q: 'q',
    accept: 'min(1, p/q)',
    excess: 'max(0, p−q)',
    accepted: 'vorgeschlagen und angenommen',
    resampled: '+ stattdessen gezogen',
    out: '= P(Ausgabe)',
    bar: 'beides füllt p',
  },
  total: 'Summe',
  sources: { slot: 'Die Position auf der Bühne', typed: 'Eine eigene Zeile' },
  whose: 'Wessen Zahlen',
  inputs: { p: 'p, das Zielmodell', q: 'q, das Entwurfsmodell' },
  examples: 'Beispiele',
  scaled: (law, sum) => `${law} ergab in der Summe ${sum} und wurde dadurch geteilt.`,
  wrong: {
    number: (law, piece) => `${law}: „${piece}“ muss eine Zahl ab 0 sein, etwa 0.5, 50 % oder 1/2.`,
    many: (law, count, fewest, most) =>
      `${law} hat ${count === 1 ? '1 Zahl' : `${count} Zahlen`}; nötig sind ${fewest} bis ${most}.`,
    sum: (law, sum) => `${law} ergibt in der Summe ${sum}; sie muss 1 sein, auf 0.001 genau.`,
    lengths: (p, q) => `p hat ${p} Zahlen und q hat ${q}; beide brauchen gleich viele.`,
  },
  kept: (problem) => `${problem} Die letzte gültige Zeile bleibt.`,
};
