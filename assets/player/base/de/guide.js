/**
 * guide.js: German for stage/words-guide.js and words-gamma.js. Pure.
 */

import { clean } from '../format.js';
import { inWords, quoted } from './grammar.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const tokens = (many) => (many === 1 ? 'das nächste Token' : `die nächsten ${inWords(many)} Token`);
const passes = (many) => (String(many) === '1' ? 'langsamer Durchlauf' : 'langsame Durchläufe');
const WHO = {
  bigram: 'eine Wortpaartabelle',
  ngram: 'eine Phrasentabelle',
  recycling: 'ein Gedächtnis früherer Entscheidungen',
  quantized: 'eine 8-Bit-Kopie des Zielmodells',
  'prompt-lookup': 'eine Suche im Text',
  suffix: 'eine Suche im Text',
  retrieval: 'eine Suche in einer Bibliothek',
};
const who = (drafter) =>
  !drafter
    ? ['Das ', target('Zielmodell'), ' selbst']
    : ['Ein ', draft('Entwurfsmodell'), `, ${WHO[drafter] ?? 'klein und schnell'},`];

export const guide = {
  label: 'Geführte erste Minute',
  of: (at, many) => `${at} von ${many}`,
  next: 'Weiter →',
  back: 'Zurück',
  skip: 'Überspringen',
  race: 'Zum Rennen →',
  step: 'Selbst durchgehen',

  plain: [
    'Normalerweise kostet jedes Token einen langsamen Durchlauf des großen Modells, des ',
    target('Zielmodells'),
    '.',
  ],
  plainUnder: (number, time) => `${number} Token, ${number} Durchläufe nacheinander: ${time}.`,
  plainUntimed: (number) =>
    `Diese ${number} Token würden also ${number} Durchläufe kosten, einen nach dem anderen.`,

  guess: (drafter, many) => [...who(drafter), ` schlägt ${tokens(many)} vor.`],
  guessTree: (drafter, many) => [
    ...who(drafter),
    ` schlägt mehrere Fortsetzungen vor: ${inWords(many)} Token.`,
  ],
  guessUnder(many, chosen) {
    if (many === 1) return 'Ein Vorschlag ist schnell gemacht, kann aber falsch sein.';
    return `Jeder Vorschlag setzt die davor fort; ${chosen ? 'er ist gewählt, nicht gezogen, also ist q 1' : 'q sagt, wie wahrscheinlich das Entwurfsmodell ihn fand'}.`;
  },
  none: 'Dieser Lauf macht keine Vorschläge: Jedes Token ist ein Durchlauf.',
  noneUnder: 'γ über 0 setzen und „Starten“ drücken, um Vorschläge zu sehen.',

  check: (many) => [
    'Ein Durchlauf des ',
    target('Zielmodells'),
    ` prüft ${many === 1 ? 'den Vorschlag' : many === 2 ? 'beide Vorschläge zugleich' : `alle ${inWords(many)} Vorschläge zugleich`}.`,
  ],
  checkUnder: (many) =>
    `Er bewertet auch die Position danach. ${many === 1 ? 'Ist er' : 'Sind alle'} angenommen, kostet das Bonus-Token dort keinen weiteren Durchlauf.`,
  checkTreeUnder:
    'Jeder Vorschlag sieht den Text und seinen Zweig. Ein Zweig kann bleiben; was ihm folgt, ist schon bewertet.',

  number: [
    'Jeder Vorschlag bekommt eine Zufallszahl. Liegt sie unter der Marke, ist er ',
    accepted('angenommen'),
    '.',
  ],
  numberUnder:
    'Die Marke ist p/q, höchstens 1: die Wahrscheinlichkeit im Zielmodell, geteilt durch die im Entwurfsmodell.',
  greedy: [
    'Ist der Vorschlag auch die erste Wahl des ',
    target('Zielmodells'),
    '? Dann ist er ',
    accepted('angenommen'),
    '.',
  ],
  greedyUnder: 'Bei Temperatur 0 gibt es keine Zufallszahlen.',
  coupled: ['Beide Modelle nutzen dasselbe Rauschen. Dasselbe Token: ', accepted('angenommen'), '.'],
  coupledUnder: 'Das Rauschen gehört zur Position, gleich wer dort wählt.',

  typical: [
    'Liegt der Vorschlag beim ',
    target('Zielmodell'),
    ' über einer Schwelle? Dann ist er ',
    accepted('angenommen'),
    '.',
  ],
  typicalUnder:
    'Keine Zufallszahl entscheidet. Die Regel ist verlustbehaftet: Der Text ist nicht ganz der des Zielmodells.',

  fails: (text, dropped, noDice) => [
    rejected(quoted(text)),
    ` ${noDice && noDice !== 'typical' ? 'weicht ab' : 'ist abgelehnt'}. ${dropped === 1 ? 'Der nächste Vorschlag setzte' : `Die nächsten ${inWords(dropped)} Vorschläge setzten`} `,
    rejected(quoted(text)),
    dropped === 1 ? ' fort, also fällt auch er weg.' : ' fort, also fallen auch sie weg.',
  ],
  failsLast: (text, own) => [
    rejected(quoted(text)),
    ' ist abgelehnt. Das ',
    target('Zielmodell'),
    ' wählt stattdessen ',
    target(quoted(own)),
    '.',
  ],
  blue: (own) =>
    `Angenommene Vorschläge liefern den grünen, gemeinsamen Teil. Aus p gezogen, zählte er doppelt: „${own}“ kommt aus dem blauen.`,
  first: (own) => `„${own}“, die erste Wahl des Zielmodells, tritt an seine Stelle.`,
  sameNoise: (own) => `„${own}“, was das Zielmodell mit diesem Rauschen wählt, tritt an seine Stelle.`,
  allOfP: (own) =>
    `„${own}“ ist aus dem ganzen p gezogen. Das Angenommene wird nicht abgezogen: Die Regel ist verlustbehaftet.`,
  equal: (own) => `„${own}“ ist aus p gezogen: p und q sind hier gleich.`,
  free: (text, many) => [
    accepted(
      many === 1
        ? 'Der Vorschlag ist angenommen'
        : many === 2
          ? 'Beide sind angenommen'
          : `Alle ${inWords(many)} sind angenommen`,
    ),
    ', und derselbe Durchlauf liefert ',
    bonus(quoted(text)),
    ' gratis.',
  ],
  freeUnder: 'Wäre einer abgelehnt, fielen die danach weg: Sie setzen ihn fort.',

  faster: (number, steps) =>
    `Im Mittel: Eine Runde bringt ${number} Token in der Zeit von ${steps} ${steps === '1' ? 'langsamen Durchlauf' : 'langsamen Durchläufen'}.`,
  fasterUnder:
    'Langsamer, wenn zu wenige Vorschläge angenommen werden oder Vorschlagen und Prüfen zu viel kosten.',
  slower: (number, steps) =>
    `Hier: ${number} Token in der Zeit von ${steps} langsamen Durchläufen. Es dauerte länger.`,
  slowerUnder: 'Zu wenige Vorschläge wurden angenommen für das, was Vorschlagen und Prüfen kosten.',
  untimed: (number, many) => `Diese ${number} Token brauchten ${many} ${passes(many)}, nicht ${number}.`,
  untimedUnder:
    'Hier nicht gemessen. Langsamer ist es, wenn zu wenige Vorschläge angenommen werden für das, was sie kosten.',
};

export const gamma = {
  round: (round, guessed, kept) => `Runde ${round}: ${guessed} vorgeschlagen, ${kept} angenommen.`,
  because: (reason) => `Warum so viele: ${clean(reason)}.`,
  entropy: (nats) => `H(q) im Mittel ${nats} nats.`,
  ghost: (name, number, unknown, reason) =>
    `${name} hätte ${unknown ? 'bis zu ' : ''}${number} vorgeschlagen: ${clean(reason)}.`,
};

export const ghost = {
  noLength: 'Die Vorschläge dieses Laufs haben keine Länge, die eine Regel wählen könnte.',
  title: 'Was hätte eine andere Regel getan?',
  about:
    'Was die Regel in jeder Runde dieses Laufs gesetzt hätte, nach den Runden davor. Ihre gestrichelte Linie steht auch in der γ-Spur.',
  none: 'eine γ-Regel wählen',
  waiting: 'Wartet auf die Antwort.',
  refused: (reason) => `Nicht gefragt: ${reason}.`,
  chart: (name) => `γ, wie ${name} es gesetzt hätte`,
  round: 'Runde',
  guesses: 'Vorschläge',
  says: (name, own, would, drawn, same, rounds, open) =>
    `${name} hätte ${would} Token je Runde vorgeschlagen, wo ${own} ${drawn} vorschlug, gleich viele in ${same} von ${rounds} Runden.` +
    (open
      ? ` In ${open} hätte sie vielleicht früher aufgehört, als ihre Linie zeigt: Die Aufzeichnung endet vorher.`
      : ''),
};
