/**
 * say.js: German for stage/words-say.js and words-passes.js: the headlines, at most 14 words each. Pure.
 */

import { clean } from '../format.js';
import { capital, inWords, quoted } from './grammar.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const late = (piece) => ({ ...piece, late: true });
/** A sentence has room for so many letters of a token. */
const ROOM = 24;
const cut = (letters) =>
  letters.length > ROOM ? `${letters.slice(0, ROOM - 1).join('')}…` : letters.join('');
const short = (text) => quoted(cut(Array.from(text)));
const many = (count) => `${inWords(count)} Token`;
const guesses = (count) => (count === 1 ? 'ein Vorschlag' : `${inWords(count)} Vorschläge`);
const all = (count) =>
  count === 1 ? 'den Vorschlag' : count === 2 ? 'beide Vorschläge' : `alle ${inWords(count)} Vorschläge`;
const WHO = {
  bigram: 'Eine Wortpaartabelle',
  ngram: 'Eine Phrasentabelle',
  'small-model': 'Ein kleines Modell',
  'small-tree': 'Ein kleines Modell',
  recycling: 'Ein Gedächtnis',
  quantized: 'Eine 8-Bit-Kopie',
  'prompt-lookup': 'Eine Suche im Text',
  suffix: 'Eine Suche im Text',
  retrieval: 'Eine Suche in einer Bibliothek',
};

export const say = {
  rest: (drafter) =>
    !drafter
      ? ['Das ', target('große Modell'), ' schlägt selbst vor und prüft alles in einem Durchlauf.']
      : [
          draft(WHO[drafter] ?? 'Ein Entwurfsmodell'),
          ' schlägt vor, das ',
          target('große Modell'),
          ' prüft alles in einem Durchlauf.',
        ],
  offer: (tokens, passes, noDice) =>
    `${noDice === 'typical' ? 'Nicht ganz der Text des großen Modells (verlustbehaftete Regel), aber' : noDice ? 'Derselbe Text wie vom großen Modell allein,' : 'Dieselbe Qualität wie vom großen Modell allein,'} weniger langsame Schritte: ` +
    `Diese ${tokens} Token brauchten ${passes} ${passes === 1 ? 'Durchlauf' : 'Durchläufe'}, nicht ${tokens}.`,
  slower: (tokens, passes) =>
    `Diese ${tokens} Token brauchten ${passes} Durchläufe. Diesmal dauerte es länger: Das Vorschlagen kostete mehr, als es sparte.`,

  draft(count, noDice, how) {
    if (how === 'itself')
      return [
        'Kein Entwurfsmodell: ',
        draft(count === 1 ? 'Der Vorschlag' : `Die ${inWords(count)} Vorschläge`),
        count === 1 ? ' kostet keinen eigenen Durchlauf.' : ' kosten keinen eigenen Durchlauf.',
      ];
    if (how === 'copied')
      return ['Diese Wörter standen schon im Text; der ', draft('Entwurf'), ' kopiert, was darauf folgte.'];
    const who = ['Das ', draft('Entwurfsmodell')];
    if (noDice === 'greedy')
      return [
        ...who,
        count === 1
          ? ' nimmt sein wahrscheinlichstes Token.'
          : ` nimmt ${inWords(count)}${count > 12 ? '-' : ''}mal sein wahrscheinlichstes Token.`,
      ];
    return [
      ...who,
      count === 1
        ? ' schlägt ein Token vor.'
        : ` schlägt ${many(count)} ${how === 'together' ? 'auf einmal vor' : 'vor, eins nach dem anderen'}.`,
    ];
  },
  check(count) {
    if (!count)
      return ['Keine Vorschläge in dieser Runde: ein einfacher Schritt des ', target('Zielmodells'), '.'];
    return ['Ein Durchlauf des ', target('Zielmodells'), ` bewertet ${all(count)} und die nächste Position.`];
  },

  firstLevel(count, text, drafters, end) {
    const ways = count === 1 ? 'eine Fortsetzung' : `${inWords(count)} Fortsetzungen`;
    if (end) return ['Ebene 1: ', draft(ways), `. ${end}`];
    const who =
      drafters > 1
        ? [draft(`${capital(inWords(drafters))} Entwurfsmodelle`), ' bieten ']
        : [...(drafters ? ['Das ', draft('Entwurfsmodell')] : ['Der ', draft('Vorrat')]), ' bietet '];
    return ['Ebene 1: ', ...who, `${ways} von ${short(text)}.`];
  },
  level(depth, count, end) {
    const after = end
      ? `. ${end}`
      : count === 1
        ? ' nach seinem Vorgänger.'
        : ', jeder nach seinem Vorgänger.';
    return [`Ebene ${depth}: `, draft(guesses(count)), after];
  },
  halted: (reason) => `Hier ist Schluss: ${clean(reason)}.`,
  noDeeper: (reason) => `Nicht tiefer: ${clean(reason)}.`,
  full: (most) => `Mehr passen nicht: höchstens ${most} Vorschläge je Runde.`,
  checkTree: (count) => [
    'Ein Durchlauf des ',
    target('Zielmodells'),
    ` bewertet alle ${inWords(count)} Vorschläge, jeden auf seinem Zweig.`,
  ],
  hopeless: (text) => [
    draft(short(text)),
    ' behalten? Von p ist dort nichts übrig: Keine Zahl kann es retten.',
  ],
  sureNow: (text, turn) => [
    `${turn}. Versuch, `,
    draft(short(text)),
    ': p′ ist mindestens q, also genügt jede Zahl.',
  ],
  next: (text, turn, u, below) => [
    `${turn}. Versuch, `,
    draft(short(text)),
    '? Die Zufallszahl ist ',
    late({ text: u }),
    `; sie muss unter ${below} liegen.`,
  ],
  struck: (gone, grows, text, p) => [
    rejected(short(gone)),
    ` ist gestrichen; der Rest wächst ×${grows}: `,
    draft(short(text)),
    ` hat jetzt ${p}.`,
  ],
  taken: (grows, text, p) => [
    'Was q abdeckte, ist von p abgezogen; der Rest wächst ',
    `×${grows}: `,
    draft(short(text)),
    ` hat ${p}.`,
  ],
  beside(text, count, noDice) {
    const yes =
      noDice === 'greedy'
        ? ['Ja: ', accepted(short(text)), accepted(' ist angenommen')]
        : [accepted(short(text)), accepted(' ist angenommen')];
    return [
      ...yes,
      count === 1
        ? '. Der Vorschlag daneben wird nie geprüft.'
        : `. Die ${count === 2 ? 'beiden' : inWords(count)} Vorschläge daneben werden nie geprüft.`,
    ];
  },
  last(text, parent) {
    const end = ['. Das ', target('Zielmodell'), ' zieht aus dem Rest.'];
    if (!parent) return [rejected(short(text)), ', der letzte,', rejected(' ist abgelehnt'), ...end];
    return [rejected(short(text)), rejected(' ist abgelehnt'), `, der letzte nach ${short(parent)}`, ...end];
  },
  bonusTree: (text, parent) => [
    accepted(short(parent)),
    ' beendet den Zweig. Bonus: ',
    late(bonus(short(text))),
    ' war schon bewertet, ist also gratis.',
  ],
  gather(slots, from, gone) {
    const where = slots.length > 3 ? `${slots.slice(0, 3).join(', ')} …` : slots.join(', ');
    const to = slots.length === 1 ? `${from}` : `${from}–${from + slots.length - 1}`;
    return [
      accepted(slots.length === 1 ? 'Der behaltene Platz' : 'Die behaltenen Plätze'),
      ` ${where} ${slots.length === 1 ? 'rückt' : 'rücken'} auf ${to}; ${gone === 1 ? 'der andere fällt' : `die anderen ${inWords(gone)} fallen`} weg.`,
    ];
  },
  trimTree(tokens, guessed, kept) {
    const gone = guessed - kept;
    return [
      'Diese Runde: ',
      accepted(many(tokens)),
      ` aus einem Durchlauf. ${gone === 1 ? 'Einer' : capital(inWords(gone))} von ${inWords(guessed)} Vorschlägen ${gone === 1 ? 'war' : 'waren'} vergeblich.`,
    ];
  },

  sure: (text, equal) => [
    draft(short(text)),
    ' behalten? Immer: Das ',
    target('Zielmodell'),
    equal
      ? ' bewertet es genauso hoch wie das Entwurfsmodell.'
      : ' bewertet es höher als das Entwurfsmodell.',
  ],
  number: (text, u, below) => [
    draft(short(text)),
    ' behalten? Die Zufallszahl ist ',
    late({ text: u }),
    `; sie muss unter ${below} liegen.`,
  ],
  above: (text, threshold) => [
    draft(short(text)),
    ' behalten? Das p des ',
    target('Zielmodells'),
    ` muss über ${threshold} liegen. Keine Zufallszahl.`,
  ],
  passedBy: (text) => [
    draft(short(text)),
    ' besteht auch, aber ein anderer Zweig ist länger oder wahrscheinlicher: ',
    rejected('abgelehnt'),
    '.',
  ],
  same: (text, noDice) =>
    noDice === 'greedy'
      ? ['Ist ', draft(short(text)), ' auch die erste Wahl des ', target('Zielmodells'), '?']
      : ['Dasselbe Rauschen für beide Modelle: Wählen beide ', draft(short(text)), '?'],

  run(texts) {
    if (texts.length > 3)
      return [
        `${capital(inWords(texts.length))} Vorschläge hintereinander sind `,
        accepted('angenommen'),
        '.',
      ];
    const pieces = texts.flatMap((text, index) => [
      index === 0 ? '' : index === texts.length - 1 ? ' und ' : ', ',
      accepted(short(text)),
    ]);
    return [...pieces.filter((piece) => piece !== ''), ' sind ', accepted('angenommen'), '.'];
  },
  accepted(text, last, noDice, whole = true) {
    const both =
      noDice === 'coupled'
        ? ['Beide wählen ', accepted(short(text)), ': ', accepted('angenommen'), '.']
        : null;
    const yes =
      noDice === 'greedy' ? ['Ja: ', accepted(short(text)), accepted(' ist angenommen'), '.'] : null;
    const next =
      last && !whole
        ? ' Der Zweig endet hier.'
        : last === 1
          ? ' Es war der einzige Vorschlag.'
          : last === 2
            ? ' Beide Vorschläge bleiben.'
            : last
              ? ` Alle ${inWords(last)} Vorschläge bleiben.`
              : ' Nun der nächste Vorschlag.';
    return [...(both ?? yes ?? [accepted(short(text)), accepted(' ist angenommen'), '.']), next];
  },
  ended: (text, count) => [
    accepted(short(text)),
    accepted(' ist angenommen'),
    count ? '. Der Text endet hier; spätere Vorschläge werden nicht gebraucht.' : '. Der Text endet hier.',
  ],
  weigh: (text, u, below) => [
    'Bis ',
    draft(short(text)),
    ' behalten? Die Zufallszahl ist ',
    late({ text: u }),
    `; sie muss unter ${below} liegen.`,
  ],
  rescued: (text) => [
    accepted(short(text)),
    accepted(' ist angenommen'),
    ': Eine spätere Zahl fiel unter ihre Marke.',
  ],
  failed: (text, more) => [
    rejected(short(text)),
    rejected(' ist abgelehnt'),
    more ? '. Nun die nächste Zahl.' : '. Es war der letzte Vorschlag.',
  ],
  sibling: (text, count) => [
    rejected(short(text)),
    rejected(' ist abgelehnt'),
    `${count ? `, mit ${count === 1 ? 'dem Vorschlag' : `den ${inWords(count)} Vorschlägen`} danach` : ''}. Nun ein anderer an seiner Stelle.`,
  ],
  rejected(text, count, noDice, instead) {
    if (noDice === 'greedy')
      return [
        'Nein: ',
        rejected(short(text)),
        rejected(' ist abgelehnt'),
        '. Erste Wahl des ',
        target('Zielmodells'),
        ' ist ',
        target(short(instead)),
        '.',
      ];
    if (noDice === 'coupled')
      return [
        'Das ',
        target('Zielmodell'),
        ' wählt ',
        target(short(instead)),
        ' statt ',
        rejected(short(text)),
        ': ',
        rejected('abgelehnt'),
        '.',
      ];
    const first = [rejected(short(text)), rejected(' ist abgelehnt')];
    if (!count) return [...first, '. Es war der letzte Vorschlag.'];
    return [
      ...first,
      count === 1
        ? ', also fällt auch der Vorschlag danach weg.'
        : `, also fallen auch die ${inWords(count)} Vorschläge danach weg.`,
    ];
  },

  residual: () => [
    'Nur behalten, was das Entwurfsmodell ',
    target('unterschätzte'),
    ', und auf das ganze Lineal strecken.',
  ],
  replace(text, u, noDice, equal) {
    const token = late(target(short(text)));
    if (noDice === 'greedy')
      return [target(short(text)), ' tritt an seine Stelle. Bei Temperatur 0 gibt es keine Zufallszahlen.'];
    if (noDice === 'coupled')
      return [target(short(text)), ' tritt an seine Stelle; nichts wird neu gezogen.'];
    if (noDice)
      return [
        'Eine Zufallszahl, ',
        late({ text: u }),
        ', fällt auf ',
        token,
        ', gezogen aus dem ganzen ',
        target('p'),
        '.',
      ];
    if (equal) return ['p und q sind hier gleich, also wird ', token, ' aus p gezogen.'];
    return [
      'Eine neue Zufallszahl, ',
      late({ text: u }),
      ', fällt auf ',
      token,
      ': der Ersatz vom ',
      target('Zielmodell'),
      '.',
    ];
  },
  bonus(text, count, noDice, whole = true) {
    const token = noDice && noDice !== 'typical' ? bonus(short(text)) : late(bonus(short(text)));
    const plain = {
      greedy: ' ist die erste Wahl: ein einfacher Schritt des ',
      coupled: ' ist gewählt: ein einfacher Schritt des ',
    };
    if (!count)
      return [
        token,
        plain[noDice] ?? ' ist aus p gezogen: ein einfacher Schritt des ',
        target('Zielmodells'),
        '.',
      ];
    const first = !whole
      ? 'Der ganze Zweig ist angenommen'
      : noDice === 'coupled'
        ? count === 1
          ? 'Der Vorschlag stimmt überein'
          : count === 2
            ? 'Beide stimmen überein'
            : `Alle ${inWords(count)} stimmen überein`
        : count === 1
          ? 'Der Vorschlag ist angenommen'
          : count === 2
            ? 'Beide angenommen'
            : `Alle ${inWords(count)} angenommen`;
    if (noDice === 'greedy')
      return [
        accepted(first),
        '. Bonus: ',
        token,
        ', die erste Wahl des ',
        target('Zielmodells'),
        ', ist gratis.',
      ];
    if (noDice === 'coupled')
      return [
        accepted(first),
        '. Bonus: ',
        token,
        ', die nächste Wahl des ',
        target('Zielmodells'),
        ', ist gratis.',
      ];
    return [accepted(first), '. Bonus: ', token, ' ist gratis, die Position war schon bewertet.'];
  },
  rollback({ written, kept }, tokens) {
    if (written === kept)
      return ['Nichts zu kürzen. Diese Runde: ', accepted(many(tokens)), ' aus einem Durchlauf.'];
    return [
      `Der Cache wird von ${written} auf ${kept} gekürzt. Diese Runde: `,
      accepted(many(tokens)),
      ', ein Durchlauf.',
    ];
  },
};

export const passes = {
  kind: 'Durchläufe',
  title: 'Durchlauf für Durchlauf',
  pass: (number) => `Durchlauf ${number}`,
  asks: 'Für jede Stelle kam ein Vorschlag aus dem letzten Durchlauf; ein Durchlauf liest alle.',
  moves: (own) =>
    `Der erste Vorschlag war falsch. Der Durchlauf gibt dort „${own}“ und dahinter neue Vorschläge.`,
  settles: (kept, all) =>
    `${kept === 1 ? 'Ein Vorschlag kam' : `${kept} Vorschläge kamen`} unverändert zurück: ${many(all)} aus einem Durchlauf.`,
  level: (ago) => (ago === 1 ? 'letzter Durchlauf' : `vor ${ago} Durchl.`),
  now: 'dieser Durchlauf',
  fills: (level, of) => `Das Fenster füllt sich: ${level} von ${of} Ebenen. Es gibt noch keine Gruppe.`,
  none: (pending) => `Keine Gruppe im Vorrat beginnt mit „${pending}“. Das Fenster läuft weiter.`,
  tries: (number) =>
    `${number === 1 ? 'Eine Gruppe' : `${number} Gruppen`} aus dem Vorrat, in diesem Durchlauf geprüft.`,
  misses: 'Keine davon passt.',
  hits: (all) => `Eine davon passt: ${many(all)} aus einem Durchlauf.`,
  ends: 'Für ein weiteres Fenster reicht der Text nicht.',
  tried: 'Geprüfte Gruppen',
  fresh: 'Neu im Vorrat',
};
