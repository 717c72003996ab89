/**
 * run.js: German for stage/words-run.js and words-why.js. Pure.
 */

import { plural } from '../format.js';

const slow = (many) => plural(many, 'langsamer Durchlauf', 'langsame Durchläufe');
/** A number and its unit on one line. */
const together = (time) => time.replace(' ', '\u00A0');
const siblings = (many) =>
  many === 1 ? 'der abgelehnte Vorschlag daneben' : `die ${many} abgelehnten Vorschläge daneben`;
const left = (many) => `${siblings(many)} von p übrig ${many === 1 ? 'ließ' : 'ließen'}`;

export const clocks = {
  title: (tokens, same) => `${same ? 'Derselbe Text' : 'Gleich viel Text'}, ${tokens} Token, auf einer Uhr`,
  untimed: (tokens) => `Diese ${tokens} Token auf der Uhr des Laufs`,
  plain: (passes, time) => `${slow(passes)}, ${together(time)}`,
  spec: (passes, guesses, time) =>
    `${slow(passes)}${guesses ? ` + ${plural(guesses, 'schneller Vorschlag', 'schnelle Vorschläge')}` : ''}, ${together(time)}`,
  open: 'in diesem Lauf nicht gemessen; das Rennen misst es',
  names: { plain: 'Großes Modell allein', spec: 'Mit Vorschlägen' },
  done: {
    faster: (times) => `fertig, ${times}× schneller`,
    slower: (times) => `zuerst fertig, ${times}× schneller`,
    same: () => 'fertig: kein klarer Unterschied',
  },
  legend: {
    verify: 'Durchlauf des großen Modells',
    draft: 'Vorschlag des Entwurfsmodells',
    other: 'Verwaltungsaufwand',
  },
};

export const foot = {
  gamma: (gamma, kept, forks) =>
    `${forks ? 'Knoten' : 'γ'} ${gamma}, ${kept === null ? 'noch offen' : `angen. ${kept}`}`,
  cache: (length) => `KV-Länge ${length}`,
  kv: 'KV-Cache',
};

export const dock = {
  label: 'Einzelheiten',
  toggles: 'Neben der Grafik öffnen',
  names: { code: 'Code', cache: 'Cache', clock: 'Uhr' },
  titles: {
    code: 'Der Algorithmus mit den Zahlen dieser Runde (A)',
    cache: 'Beide KV-Caches, eine Zelle je Token (K)',
    clock: 'Wohin die Zeit dieser Runde ging (M)',
  },
  close: (name) => `${name} schließen`,
  cache: 'KV-Cache',
  cells: 'eine Zelle je Token',
  legend: { committed: 'behalten', speculative: 'Vorschlag', 'rolled-back': 'verworfen', owed: 'zurück' },
  overTime: 'Länge über den Lauf: Zielmodell durchgezogen, Entwurfsmodell gestrichelt',
  run: 'Ganzer Lauf',
  without: (tokens, time) => `„ohne“: ${plural(tokens, 'Durchlauf', 'Durchläufe')} von ${time} ms`,
  untimed: 'Einfaches Dekodieren wurde in diesem Lauf nicht gemessen.',
};

export const why = {
  title: (token, word) => (token === null ? 'Hier ist noch nichts' : `Warum ${word}: ${token}`),
  prompt: 'Teil des Prompts: Niemand hat es vorgeschlagen.',
  empty: 'Hier ist noch kein Vorschlag.',
  chosen: (reason) =>
    `Ein Vorschlag, der gewählt und nicht gezogen ist${reason ? `: ${reason}` : ''}. Das Zielmodell hat noch nicht geurteilt.`,
  weighed: {
    accepted:
      'Die Vorschläge eines Blocks werden gemeinsam gewichtet; die Zahl dieses Vorschlags fiel unter die Chance, dass alle bis hierher bleiben.',
    rescued: 'Seine eigene Zahl war zu hoch, aber ein späterer Vorschlag bestand, und mit ihm alle davor.',
    rejected:
      'Die Vorschläge eines Blocks werden gemeinsam gewichtet; ab hier fiel keine Zahl unter ihre Marke.',
    branch:
      'Der Baum wird als Ganzes gewichtet; ein Vorschlag weiter unten auf diesem Zweig bestand, und mit ihm alle davor.',
    leaf: 'Der erste Zweig, dessen Zahl unter sein Gewicht fiel: Alle Vorschläge darauf sind angenommen.',
    fell: 'Die Zahl lag nicht unter dem Gewicht seines Zweigs, also wird er vom Baum genommen; die übrigen Zweige werden neu gewichtet.',
  },
  tried: {
    accepted: (before, sure) =>
      sure
        ? `Was ${left(before)}, ist hier mindestens q, also wird er immer angenommen.`
        : `Geprüft an dem, was ${left(before)}; seine Zufallszahl lag unter p′/q.`,
    rejected: (before) =>
      `Geprüft an dem, was ${left(before)}; die Zufallszahl war zu hoch. Das heißt nicht „falsch“.`,
  },
  sibling: (token) => `Nie geprüft: An seiner Stelle ist „${token}“ angenommen.`,
  draft: (reason) =>
    `Ein Vorschlag, gezogen aus der Verteilung q des Entwurfsmodells${reason ? ` (${reason})` : ''}. Das Zielmodell hat noch nicht geurteilt.`,
  wanted: (q, p) =>
    `Das Entwurfsmodell sagte q = ${q}, das Zielmodell sagt p = ${p}. Das Zielmodell will es mindestens so sehr, also wird es immer angenommen.`,
  eager: (percent, u) =>
    `Das Entwurfsmodell wählt es öfter, als das Zielmodell es täte. So ein Vorschlag wird in ${percent} von 100 Fällen angenommen, und die Zufallszahl ${u} war einer davon.`,
  rejected: (token, percent) =>
    `Die Zufallszahl war zu hoch. Das heißt nicht „falsch“: ${percent}\u00A0% solcher Vorschläge müssen abgelehnt werden, weil das Entwurfsmodell „${token}“ öfter wählt, als das Zielmodell es täte.`,
  untested: (before) =>
    `Es wurde nach „${before}“ vorgeschlagen, und das ist weg. Seine Wahrscheinlichkeit setzte ein abgelehntes Token voraus.`,
  afterEnd: 'Der Text endete davor, also hat es niemand geprüft.',
  resampled: (token, mass, u, share) =>
    `Gewählt nur unter Token, die das Entwurfsmodell unterschätzte (${mass} von p). Die Zufallszahl ${u} fiel auf „${token}“, das davon ${share} ausmacht.`,
  equal:
    'p und q waren bis zur letzten Stelle gleich, also blieb nichts übrig, und das Token wurde aus p gezogen.',
  bonus: (kept, whole = true) =>
    kept
      ? `${!whole ? 'Ein ganzer Zweig wurde' : kept === 1 ? 'Der Vorschlag wurde' : `Alle ${kept} Vorschläge wurden`} angenommen, und derselbe Durchlauf hatte die nächste Position schon bewertet. Das kostet nichts extra.`
      : 'Nichts wurde vorgeschlagen, also ist das ein Schritt einfachen Dekodierens.',
  ownWaits:
    'Die Position nach dem letzten Vorschlag. Sie wird nur gebraucht, wenn jeder Vorschlag angenommen ist.',
  lines: {
    draft: (q, u) => (u ? `q = ${q}, gezogen bei u = ${u}` : `q = ${q}, in mehreren Schritten gezogen`),
    chosen: 'q = 1: gewählt, nicht gezogen',
    untested: (p, q) => `p = ${p}, q = ${q}, nie verglichen`,
    weight: (weight) => `ρ = ${weight}; keine eigene Zahl`,
  },
  sources: {
    chosen: 'q(x) = 1, also mit Wahrscheinlichkeit p(x) angenommen',
    tested: 'annehmen mit Wahrscheinlichkeit min(1, p(x)/q(x)) · Leviathan et al. 2023, Abschnitt 2.3',
    draft: 'x ∼ q(x) · Leviathan et al. 2023, Algorithmus 1',
    sibling: 'p′ = norm(max(0, p − q)) nach jeder Ablehnung · Miao et al. 2023, arXiv:2305.09781',
    traversal:
      'den Zweig eines Blatts mit Wahrscheinlichkeit ρ annehmen · Weng et al. 2025, arXiv:2505.12398',
    untested: 'alles nach der ersten Ablehnung fällt weg · Leviathan et al. 2023, Algorithmus 1',
    residual: 'p′ = norm(max(0, p − q)) · Leviathan et al. 2023, Abschnitt 2.3',
    bonus: 't ∼ p(γ+1) · Leviathan et al. 2023, Algorithmus 1',
  },
};

export const noDice = {
  greedy: {
    why: {
      draft:
        'Temperatur 0: Das Entwurfsmodell nimmt seine erste Wahl. Das Zielmodell hat noch nicht geurteilt.',
      accepted:
        'Temperatur 0: Die erste Wahl des Entwurfsmodells ist auch die des Zielmodells, also angenommen.',
      rejected: 'Temperatur 0: Die erste Wahl des Zielmodells ist ein anderes Token, also abgelehnt.',
      resampled:
        'Temperatur 0: Die erste Wahl des Zielmodells tritt an die Stelle des abgelehnten Vorschlags.',
      bonus:
        'Temperatur 0: Jeder Vorschlag war die erste Wahl des Zielmodells, und derselbe Durchlauf gibt seine nächste.',
    },
    source: 'Temperatur 0 legt alle Wahrscheinlichkeit auf ein Token · Leviathan et al. 2023, Abschnitt 2.2',
  },
  coupled: {
    lines: {
      test: (same, keep) =>
        `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g); so ein Vorschlag wird mit einer Chance von ${keep} angenommen`,
    },
    why: {
      draft:
        'Die Wahl des Entwurfsmodells mit dem Rauschen dieser Position. Das Zielmodell hat mit demselben Rauschen noch nicht geurteilt.',
      accepted: 'Mit dem Rauschen dieser Position wählt das Zielmodell dasselbe Token, also angenommen.',
      rejected: 'Mit dem Rauschen dieser Position wählt das Zielmodell ein anderes Token, also abgelehnt.',
      resampled:
        'Die Wahl des Zielmodells mit dem Rauschen dieser Position. Einfaches Dekodieren mit diesem Seed schreibt sie auch.',
      bonus:
        'Jeder Vorschlag stimmte, und die nächste Wahl des Zielmodells, mit dem Rauschen der nächsten Position, liegt schon vor.',
    },
    source: 'Gumbel-Kopplung · Daliri, Musco und Suresh 2024, arXiv:2408.07978',
  },
  typical: {
    why: {
      accepted:
        'Wahrscheinlich genug für das Zielmodell, also angenommen, gleich was q war. Der Preis: Kein Vorschlag geht durch Zufall verloren, aber wahrscheinliche Token kommen zu oft vor.',
      rejected:
        'Zu unwahrscheinlich für das Zielmodell an dieser Position, also abgelehnt. Eine verlustfreie Regel nähme es ab und zu an.',
      passedBy:
        'Es besteht, aber ein anderer Zweig bestandener Vorschläge ist länger, oder gleich lang und wahrscheinlicher. Nur einer kann angenommen werden.',
      resampled:
        'Aus dem ganzen p gezogen, nicht aus dem, was die angenommenen Vorschläge davon ließen. Darum hat der Text nicht die Verteilung des Zielmodells.',
    },
    source: 'Verlustbehaftet: annehmen, solange p > min(ε, δ exp(−H(p))) · Cai et al. 2024, arXiv:2401.10774',
  },
};
