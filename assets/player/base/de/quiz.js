/**
 * quiz.js: German for stage/words-quiz.js, words-tour.js and words-sheet.js. Pure.
 */

import { capital, inWords, quoted } from './grammar.js';
import { guide } from './guide.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });

export const quiz = {
  label: 'Erst raten, dann aufdecken',
  offer: 'Mitraten',
  offerTitle: 'Raten, was passiert, und dann sehen (Q)',
  of: (at, many) => `Mitraten: Frage ${at} von ${many}`,
  room: 'Handzeichen',
  roomTitle: 'Bis zur Eingabetaste wird nichts aufgedeckt',
  leave: 'Verlassen',
  skip: 'Überspringen',
  next: 'Weiter →',
  reveal: 'Aufdecken ⏎',
  again: 'Fünf weitere',
  answers: 'Antwort',
  none: ['Dieser Lauf macht keine Vorschläge, also gibt es nichts zu raten.'],
  noneUnder: 'γ über 0 setzen und „Starten“ drücken.',
  keys: (many) => `Tasten 1 bis ${many}. Nichts verlässt diese Seite.`,
  hands: (many) => `Tasten 1 bis ${many} markieren eine Antwort. Die Eingabetaste deckt auf.`,

  often: ['nie', 'selten', 'Münz\u00adwurf', 'meist', 'immer'],
  dart: (text) => ['Wie oft nimmt das ', target('Zielmodell'), ' hier ', draft(quoted(text)), ' an?'],
  same: (text) => ['Wie wahrscheinlich wählt das ', target('Zielmodell'), ' auch ', draft(quoted(text)), '?'],
  drawn: (q) => `Das Entwurfsmodell zog es mit q = ${q}.`,
  chosen: 'Das Entwurfsmodell wählte es fest: q = 1.',
  kept: (text, chance, happened) => [
    quoted(text),
    chance === '1'
      ? ' wird immer angenommen. Diesmal: '
      : ` wird mit einer Chance von ${chance} angenommen. Diesmal: `,
    happened ? accepted('angenommen') : rejected('abgelehnt'),
    '.',
  ],
  whether: (text, happened) =>
    happened
      ? ['Ja: ', quoted(text), ' ist ', accepted('angenommen'), '.']
      : ['Nein: ', quoted(text), ' ist ', rejected('abgelehnt'), '.'],

  count: (many) => [
    many === 1 ? 'Wird der eine Vorschlag ' : `Wie viele der ${inWords(many)} Vorschläge werden `,
    accepted('angenommen'),
    '?',
  ],
  countUnder: 'Es geht der Reihe nach: Nach der ersten Ablehnung fällt der Rest weg.',
  many: (low, high, all) =>
    high === 0
      ? 'keiner'
      : low === all
        ? `alle ${inWords(all)}`
        : low === high
          ? String(low)
          : `${low} bis ${high}`,
  stood: (text, many, all) => [
    many === all
      ? 'Alle sind '
      : many
        ? `${capital(text)} davon ${many === 1 ? 'ist' : 'sind'} `
        : 'Keiner ist ',
    many ? accepted('angenommen') : rejected('angenommen'),
    '.',
  ],
  stoodUnder: (tokens) => `Die Runde bringt ${tokens} Token aus einem Durchlauf des Zielmodells.`,

  pay: (many) => [`Lohnt sich dieser Baum mit ${many} Vorschlägen?`],
  payUnder: 'Er lohnt sich, wenn einfaches Dekodieren in derselben Zeit weniger Token schriebe.',
  yesNo: ['ja', 'nein'],
  paid: (pays) => ['Er ', pays ? accepted('lohnt sich') : rejected('lohnt sich nicht'), '.'],
  paidUnder: (tokens, passes) => `Er bringt ${tokens} Token in der Zeit von ${passes} einfachen Durchläufen.`,

  cannot: (text) => ['Welches Token kann ', rejected(quoted(text)), ' ', rejected('nicht'), ' ersetzen?'],
  cannotUnder: 'Ein Ersatz wird aus dem gezogen, was das Zielmodell dem Entwurf voraushat.',
  gone: (text) => [quoted(text), ' kann es nicht: Davon ist nichts übrig.'],
  goneUnder: (p, q) =>
    `Sein p = ${p} liegt nicht über seinem q = ${q}, also liefern angenommene Vorschläge schon alles davon.`,

  gamma: ['Welches ', { var: 'γ' }, ' ist für diesen Lauf am schnellsten?'],
  gammaUnder: 'Mehr Vorschläge kosten mehr Zeit, und späte werden selten erreicht.',
  best: (gamma, times) => [{ var: 'γ' }, ` = ${gamma} ist am schnellsten: ${times}×.`],
  bestUnder: (alpha, c) =>
    `Nach der Formel, mit α = ${alpha} dieses Laufs und Vorschlägen zu ${c} eines Durchlaufs.`,

  right: '✓ Richtig.',
  wrong: (text) => `Getippt: ${text}.`,
  off: (said, error) => `Getippt: ${said}; quadratischer Fehler ${error}.`,
  you: 'Tipp',
  strip: (said, chance, u) =>
    `${said ? `Getippt ${said}; ` : ''}die Chance ist ${chance}${u ? `; die Zufallszahl ${u}` : ''}`,
  score: (error, blind) => [`Mittlerer quadratischer Fehler: ${error}; stets „Münzwurf“ ergibt ${blind}.`],
  scoreNone: ['Diesmal wurden keine Chancen getippt.'],
  others: (right, many) => `Von den anderen Fragen ${right} von ${many} richtig.`,
  calibrated: (said, many, chance, kept) =>
    `${many}-mal „${said}“ getippt: mittlere Chance ${chance}, ${kept} angenommen.`,
};

export const tour = {
  label: 'Rundgang',
  offer: (stop, many) => (stop ? `Rundgang fortsetzen, ${stop} von ${many}` : 'Rundgang'),
  leave: 'Verlassen',
  finish: 'Beenden',
  done: '✓ Geschafft',

  passes: [
    ['Das ', target('Zielmodell'), ' allein schreibt ein Token je Durchlauf.'],
    'Jedes Token läuft durch das ganze große Modell. Das macht es langsam.',
    '→ drücken, um eine Runde zu beginnen.',
  ],
  guesses: (many) => [
    ['Ein kleines ', draft('Entwurfsmodell'), ' macht Vorschläge.'],
    'Bernsteinfarben und gestrichelt: Noch ist nichts entschieden. Vorschlagen kostet wenig.',
    many === 1 ? '→ drücken für den Vorschlag.' : `→ drücken, bis alle ${inWords(many)} Vorschläge da sind.`,
  ],
  check: [
    ['Ein Durchlauf des ', target('Zielmodells'), ' prüft sie alle.'],
    'Er liest den Text und jeden Vorschlag zusammen und bewertet jede Position auf einmal.',
    '→ drücken für den Durchlauf.',
  ],
  number: [guide.number, guide.numberUnder, '→ drücken, damit die Zahl fällt.'],
  greedy: [guide.greedy, guide.greedyUnder, '→ drücken zum Vergleichen.'],
  coupled: [guide.coupled, guide.coupledUnder, '→ drücken zum Vergleichen.'],
  typical: [guide.typical, guide.typicalUnder, '→ drücken zum Vergleichen.'],
  dropped: (text) => [
    [rejected(quoted(text)), ' ist abgelehnt, also fällt weg, was danach vorgeschlagen wurde.'],
    'Seine Wahrscheinlichkeiten setzten ein Token voraus, das weg ist; es wird nie geprüft.',
    'Einen weggefallenen Vorschlag öffnen: anklicken, oder Tab und Eingabe.',
  ],
  rejected: (text) => [
    [rejected(quoted(text)), ' ist abgelehnt. Es war der letzte Vorschlag.'],
    'Das heißt nicht „falsch“: Ein Teil solcher Vorschläge muss abgelehnt werden.',
    'Den abgelehnten Vorschlag öffnen: anklicken, oder Tab und Eingabe.',
  ],
  left: [
    ['Das ', target('Zielmodell'), ' zieht nicht einfach neu.'],
    'Es zieht nur aus dem blauen Teil: was es dem Entwurf voraushat. So bleibt seine Verteilung.',
    '→ drücken, um den Ersatz zu ziehen.',
  ],
  free: [
    ['Sind alle angenommen, ist ein weiteres Token ', bonus('gratis'), '.'],
    'Der Durchlauf bewertete eine Position mehr, als es Vorschläge gab.',
    '→ drücken für den Bonus.',
  ],
  cache: [
    ['Was abgelehnt ist, verlässt den Cache.'],
    'Der Cache hält einen Eintrag je gelesenem Token. Die der abgelehnten Vorschläge fallen weg.',
    '→ drücken zum Kürzen.',
  ],
  race: [
    ['Lohnt es sich?'],
    'Nur wenn Vorschläge billig sind und meist angenommen werden. Das Rennen misst beides auf einer Maschine.',
    'Den Reiter „Rennen“ öffnen oder 2 drücken.',
  ],
};

export const sheet = {
  title: 'Spekulatives Dekodieren von Hand',
  answers: 'Lösungen',
  name: 'Name',
  about: (round, rounds, value, temperature, seed) =>
    `Runde ${round} von ${rounds} · γ ${value} · T ${temperature} · Seed ${seed}`,
  none: 'Ein Arbeitsblatt braucht eine Kette von Vorschlägen, die je eine Zufallszahl prüft. Zu einer anderen Runde gehen oder Rejection-Sampling ohne Baum bei T über 0 nehmen.',
  test: 'Annehmen oder ablehnen?',
  how: 'Für jeden Vorschlag a = min(1, p/q) ausrechnen. a und u auf seinem Balken markieren: Er wird angenommen, wenn u unter a liegt. Bei der ersten Ablehnung aufhören.',
  verdict: 'Urteil',
  accept: 'annehmen',
  reject: 'ablehnen',
  never: 'nie geprüft',
  left: 'Der Rest von p',
  odds: (text, overlap) =>
    `Wo „${text}“ vorgeschlagen wurde, überlappen sich p und q um β = ${overlap}. Wie oft wird dort ein Vorschlag abgelehnt?`,
  cannot: (text) => `Kann „${text}“ sein eigener Ersatz sein? Warum?`,
  because: (text) => `Nein: p von „${text}“ liegt unter q, also ist davon nichts übrig.`,
  over: (text, p, q) => `Für „${text}“ ist p = ${p} und q = ${q}. Wie viel ist davon übrig?`,
  stretched:
    'Alles Übrige ergibt zusammen die erste Antwort. Wie wahrscheinlich ist dieses Token, wenn es auf 1 gestreckt ist?',
  words: 'In Worten',
  open: (refused) => [
    refused
      ? [
          'Warum werden Vorschläge nach einem abgelehnten nie geprüft?',
          'Sie wurden für einen Text gemacht, der das abgelehnte Token enthält; den gibt es nicht mehr.',
        ]
      : [
          'Warum kostet das Bonus-Token keinen Durchlauf?',
          'Der Durchlauf über die Vorschläge hatte die Position nach dem letzten schon bewertet.',
        ],
    [
      'Wann wäre diese Runde langsamer als einfaches Dekodieren?',
      'Wenn Vorschlagen und ein breiterer Durchlauf mehr einfache Durchläufe kosten, als die Runde Token bringt.',
    ],
  ],
  foot: (target, draft, recorded) => `specviz · Zielmodell ${target} · Entwurfsmodell ${draft} · ${recorded}`,
};
