/**
 * stage.js: German for stage/words-stage.js and words-look.js. Pure.
 */

import { plural } from '../format.js';

const entries = (many) => plural(many, 'Eintrag', 'Einträge');

export const beats = {
  guess: 'vorschlagen',
  check: 'prüfen',
  verdict: 'Urteil',
  replace: 'ersetzen',
  bonus: 'Bonus',
  rollback: 'kürzen',
};

export const lane = {
  notYet: 'noch nicht',
  empty: (position) => `Position ${position}: noch nichts vorgeschlagen`,
  bonusWaits: '★ Bonus',
  ownOnly: 'eigenes Token des Zielmodells',
  notReached: 'nicht erreicht',
  ended: 'der Text ist zu Ende',
  bonusPlace: (note) =>
    note === '★ Bonus'
      ? 'Platz für den ★ Bonus, falls alle angenommen werden'
      : `Platz für das Bonus-Token: ${note}`,
  ends: { accepted: 'Vorschlag angenommen', rejected: '', untested: '', resampled: '', bonus: 'Bonus' },
  guess: (position, text, state, chance, u, inner) =>
    `Position ${position}: ${text}, ${state}${chance ? `, Chance auf Annahme ${chance}` : ''}${u ? `, u ${u}` : ''}${inner ? `, ${inner}` : ''}`,
  branch: (text, who, level, order, siblings, state, chance, u) =>
    `${text}${who && ` von ${who}`}, Ebene ${level}, ${order}. von ${siblings} nebeneinander, ${state}${chance ? `, Chance auf Annahme ${chance}` : ''}${u ? `, u ${u}` : ''}`,
  part: (bytes, letter) => `${bytes}, ${letter === null ? 'Teil eines Zeichens' : `Teil von ${letter}`}`,
  own: (position, text, state) => `Position ${position}: ${text}, ${state}, das eigene Token des Zielmodells`,
};

export const inner = {
  kept: (who) => [
    `von ${who} vorgeschlagen`,
    `${who} hatte es dem Entwurfsmodell vorgeschlagen, und das nahm es an.`,
  ],
  refused: (who, text) => [
    `statt „${text}“ von ${who}`,
    `${who} hatte „${text}“ vorgeschlagen; das Entwurfsmodell lehnte es ab und setzte dieses an seine Stelle.`,
  ],
};

export const others = (many) => `${many} andere Token`;

export const mask = {
  title: 'Aufmerksamkeitsmaske',
  source: 'ein Durchlauf, jeder Zweig für sich',
  columns: ['', 'Pos.', 'Text', 'Vorschläge'],
  kinds: { mask: 'Maske', table: 'Tabelle', code: 'Code' },
  kindsLabel: 'Was dieser Teil zeigt',
  toggle: 'Maske oder Tabelle (T)',
  label: 'Zeilen der Maske',
  table: 'Was jeder Vorschlag im Durchlauf des Zielmodells sieht',
  heads: ['Vorschlag', 'Position', 'Platz', 'sieht'],
  rows: (rows) => `Ein Durchlauf, ${rows} Zeilen: Jede sieht den Text und ihren eigenen Zweig.`,
  seen: (before) => `den Text${before.map((each) => `, „${each}“`).join('')} und sich selbst`,
  sees: (text, before, place, slot) =>
    `„${text}“ sieht ${mask.seen(before)}. Position ${place}, Platz ${slot}.`,
};

export const trial = { leaf: ': hier keine Vorschläge' };

export const figure = {
  nowThat: (texts) =>
    `, ${texts
      .slice(0, 2)
      .map((text) => `„${text}“`)
      .join(', ')}${texts.length > 2 ? ` und ${texts.length - 2} weitere` : ''} abgelehnt`,
  outright: (text) => `: „${text}“ ist fest gewählt, q = 1`,
};

export const ruler = {
  draft: 'Zufallszahl zwischen 0 und 1 → der Vorschlag des Entwurfsmodells',
  chosen: (reason) => `Gewählt, nicht gezogen: ${reason || 'q ist 1 auf diesem Token'}`,
  overlap: 'Überlappung von p und q: die Chance auf Annahme hier',
  accept: (mark) => `Zufallszahl zwischen 0 und 1: unter ${mark} → annehmen`,
  always: 'p ist mindestens q: annehmen, welche Zahl auch fällt',
  left: 'Der Rest von p, auf das ganze Lineal gestreckt',
  adjusted: (text) => `p′: Rest von p, gestreckt. Nun wird „${text}“ daran geprüft`,
  sibling: 'Wird nur geprüft, wenn der Vorschlag davor an derselben Stelle abgelehnt ist',
  plain: 'p des Zielmodells: Hieraus wird das nächste Token gezogen',
  residual: (u, token) => `Der Rest von p, gestreckt: ${u} fällt auf „${token}“`,
  equal: (u, token) => `p und q sind gleich, also p selbst: ${u} fällt auf „${token}“`,
  bonus: (u, token) => `p des Zielmodells nach dem letzten Vorschlag: ${u} fällt auf „${token}“`,
  step: (u, token) => `p des Zielmodells: ${u} fällt auf „${token}“`,
  untested: 'Diese Wahrscheinlichkeit setzte ein Token voraus, das abgelehnt ist',
  passed: 'Nicht nötig: Ein anderer Vorschlag ist an seiner Stelle angenommen',
  waits: 'Wird nur gebraucht, wenn jeder Vorschlag angenommen ist',
  notReached: 'Nicht nötig: Ein Vorschlag davor ist abgelehnt',
  ended: 'Der Text endete vor dieser Position',
  yes: 'annehmen',
  no: 'ablehnen',
  accepts: (share) => `annehmen ${share}`,
  rejects: (share) => `ablehnen ${share}`,
  threshold: (text, mark) => `p von „${text}“ im Zielmodell: über ${mark} → annehmen. Keine Zufallszahl`,
  all: (u, token) =>
    `Das ganze p des Zielmodells, denn die Regel ist verlustbehaftet: ${u} fällt auf „${token}“`,
  call: (text, share, rare) =>
    `„${text.replace(/^·+(?=.)/u, '')}“ ${share}${rare ? ` · etwa 1 von ${rare}, verbreitert gezeichnet` : ''}`,
};

export const sum = {
  guess: (text) => `Chance von „${text}“ im Entwurf`,
  chosen: (text) => `„${text}“ ist gewählt, nicht gezogen`,
  steps: 'in mehreren Schritten gezogen, nicht mit einer Zahl',
  weight: (text) => `Gewicht bis „${text}“`,
  block: (text) => `Chance für alles bis „${text}“`,
  rescued: { text: '✓ dank späterer Zahl angenommen', state: 'accepted' },
  likeliest: 'Erste Wahl des Entwurfsmodells',
  noise: 'Gezogen mit Rauschen g',
  number: 'Zufallszahl',
  chance: (text) => `Chance für „${text}“`,
  greedy: () => 'Dieselbe erste Wahl?',
  coupled: () => 'Beide dasselbe Token?',
  entropy: 'Wie unsicher: Entropie von p',
  threshold: 'Je unsicherer, desto niedriger',
  passedBy: { text: '✕ besteht, anderer Zweig gewinnt', state: 'rejected' },
  left: 'Rest von p',
  stretch: 'Aufs Lineal gestreckt',
  share: (text) => `Chance von „${text}“, gestreckt`,
  target: (text) => `Chance von „${text}“ im Zielmodell`,
  first: 'Erste Wahl des Zielmodells',
  pick: 'Wahl des Ziels, gleiches Rauschen',
  total: (tokens) => `Diese Runde: ${tokens} Token, 1 Durchlauf`,
  verdict: (won) =>
    won ? { text: '✓ annehmen', state: 'accepted' } : { text: '✕ ablehnen', state: 'rejected' },
  own: (emission) =>
    emission === 'bonus'
      ? { text: '★ Bonus', state: 'bonus', late: true }
      : { text: '↻ Ersatz', state: 'resampled', late: true },
  adjusted: (text) => `Was für „${text}“ übrig ist`,
  grows: 'Alles Übrige wächst',
  sibling: 'Wird nur geprüft, wenn der Vorschlag davor an derselben Stelle abgelehnt ist.',
  passed: 'Nicht nötig: Ein anderer Vorschlag ist an seiner Stelle angenommen.',
  untested: 'Nicht nötig: Ein Vorschlag davor ist abgelehnt.',
  notReached: 'Nicht erreicht: Ein Vorschlag ist abgelehnt.',
  ended: 'Der Text endete vor dieser Position.',
  waits: 'Wird nur gebraucht, wenn jeder Vorschlag angenommen ist.',
  plain: 'Keine Vorschläge: Das Zielmodell wählt dieses Token.',
};

export const cache = {
  target: 'Zielmodell',
  draft: 'Entwurfsmodell',
  cells: (model) => `Einträge im Cache, ${model}`,
  none: (reason) => `kein Cache: ${reason || 'es schlägt Zählungen nach'}`,
  length: entries,
  trimmed: (from, to) =>
    from === to ? `${entries(to)}, alle behalten` : `${from} → ${entries(to)} (−${from - to})`,
  owes: (to, owed) => `${entries(to)}, ${owed} zurück`,
  gather: (from, first, last) => `sammeln: ${from} → ${first === last ? first : `${first} bis ${last}`}`,
  more: (size, peak, wasted) => `${size} · höchstens ${peak} · bisher ${wasted} verworfen`,
  cell: {
    committed: 'behalten',
    speculative: 'noch ein Vorschlag',
    kept: 'behalten, wird dorthin kopiert, wo der Text weitergeht',
    'rolled-back': 'verworfen',
    owed: 'zurück: Das Entwurfsmodell hat es noch nicht gelesen',
  },
};

export const memory = {
  says: (rows, all) => `${rows} von ${all} Token gemerkt`,
  learned: {
    text: (rows) => `${rows} aus dem Text`,
    rejected: (rows) => `${rows} aus nicht angenommenen Vorschlägen`,
  },
};

export const algorithm = {
  title: 'Algorithmus 1',
  titles: {
    greedy: 'Bei Temperatur 0',
    coupled: 'Gemeinsames Rauschen',
    typical: 'Typische Annahme (verlustbehaftet)',
    block: 'Blockprüfung',
    tree: 'Der Weg den Baum hinab',
    traversal: 'Traversal-Prüfung',
  },
  sources: { greedy: 'argmax auf beiden Seiten' },
  copies: (slots, gone) => `Plätze ${slots.join(', ') || '(keine)'} bleiben, ${gone} fallen weg`,
  none: 'γ ist 0: keine Vorschläge',
  rows: (rows) => `${plural(rows, 'Zeile', 'Zeilen')} von p aus einem Durchlauf`,
  all: 'kein Vorschlag abgelehnt',
  yes: 'ja',
  no: 'nein',
  ended: 'der Text endete unter den Vorschlägen',
};

export const clock = {
  title: 'Uhr',
  guesses: (many) => plural(many, 'Vorschlag', 'Vorschläge'),
  pass: 'ein Durchlauf',
  rest: 'der Rest',
  taught: 'Lernen, Rest',
  without: 'ohne',
  total: (round, ms, tokens) => `Runde ${round}: ${ms} ms für ${tokens} Token`,
};

export const look = {
  tape: 'Text bisher',
  boxes: 'Token',
  boxesTitle: 'Jedes Token in einem eigenen Kasten zeigen',
  earlier: (many) => `… ${many} frühere Token …`,
  bytes: (many) => `${many} Token`,
  beats: 'Phasen der Runde',
  where: ['Runde ', ' von '],
  lane: 'Vorschläge dieser Runde',
  root: 'Text bisher',
  position: (at) => `Position ${at}`,
  afterWord: 'nach ',
  triedBefore: (many) => `${many} davor`,
  ifAll: 'falls alle angenommen',
  figure: 'Zielmodell p und Entwurf q',
  columns: {
    p: ['Ziel ', { var: 'p' }],
    primed: ['Ziel ', { var: 'p′' }],
    weighed: ['Ziel ', { var: 'ρp' }],
    q: ['Entwurf ', { var: 'q' }],
    left: ['Rest ', { var: 'p − q' }],
  },
  title: {
    both: [
      { role: 'target', pieces: ['Ziel ', { var: 'p' }] },
      ' und ',
      { role: 'draft', pieces: ['Entwurf ', { var: 'q' }] },
    ],
    weighed: [
      { role: 'target', pieces: ['Ziel ', { var: 'p' }, ' × Gewicht ', { var: 'ρ' }] },
      ' und ',
      { role: 'draft', pieces: ['Entwurf ', { var: 'q' }] },
    ],
    primed: [
      { role: 'target', pieces: ['Ziel ', { var: 'p′' }] },
      ' und ',
      { role: 'draft', pieces: ['Entwurf ', { var: 'q' }] },
    ],
    q: [{ role: 'draft', pieces: ['Entwurf ', { var: 'q' }] }],
    p: [{ role: 'target', pieces: ['Zielmodell ', { var: 'p' }] }],
  },
  after: (text, now) => ` nach „${text}“${now}`,
  legend: {
    overlap: ['beide', { long: [': ', { var: 'min(p, q)' }] }],
    p: ['Ziel mehr', { long: [': ', { var: 'p − q' }] }],
    q: ['Entwurf mehr', { long: [': ', { var: 'q − p' }] }],
    left: ['Rest von hier', { long: [': ', { var: 'p − q' }] }],
    onlyP: ['Ziel ', { var: 'p' }],
    onlyQ: ['Entwurf ', { var: 'q' }],
  },
  zoom: (times) => `${times}× Maßstab des Lineals`,
  others: (many) => [`${many} andere`],
  side: 'Nebeneinander',
  overlaid: 'Überlagert',
  rest: 'Das ganze Vokabular zeigen',
  odds: (accept, reject) => `Ja ${accept} · nein ${reject}`,
  was: (mass, times) => [`war ${mass} breit, `, `nun gestreckt ×${times}`],
  wide: (odds) => ` · etwa 1 von ${odds}, verbreitert gezeichnet`,
  guessesOf: (many) => (many === 1 ? 'ein Vorschlag' : `${many} Vorschläge`),
  key: [
    ['accepted', 'Vorschlag', 'angenommen'],
    ['resampled', 'Ersatz', 'vom Zielmodell gewählt'],
    ['bonus', 'Bonus', 'gratis, wenn alle angenommen sind'],
  ],
  showMe: '▶ Zeig es mir',
  runYourOwn: 'Eigener Lauf',
};
