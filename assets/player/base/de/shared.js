/**
 * shared.js: German for base/words.js.
 */

import { clean, plural } from '../format.js';
import { quoted } from './grammar.js';
import { served } from './served.js';

export const STATES = {
  prompt: 'Prompt',
  draft: 'Vorschlag',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
  resampled: 'Ersatz',
  bonus: 'Bonus',
  untested: 'nie geprüft',
};

export const KINDS = {
  rest: 'vor der ersten Runde',
  draft: 'Vorschlag',
  verify: 'Prüfung',
  dart: 'Zufallszahl',
  verdict: 'Urteil',
  adjust: 'Rest von p',
  residual: 'Rest von p',
  replace: 'Ersatz',
  bonus: 'Bonus',
  gather: 'sammeln',
  trim: 'kürzen',
};

const ENDS = {
  length: 'Länge erreicht',
  eos: 'Textende',
  context: 'Kontext voll',
  stopped: 'gestoppt',
  deadline: 'Zeit abgelaufen',
  failed: 'abgebrochen',
};

const wait = (seconds) =>
  seconds < 90 ? `etwa ${Math.max(1, Math.round(seconds))} s` : `etwa ${Math.round(seconds / 60)} min`;

export const words = {
  region: 'Spekulatives Dekodieren, Schritt für Schritt',
  toolbar: 'Wiedergabe',
  empty: 'Hier gibt es noch keine Aufzeichnung. „Starten“ erzeugt einen Lauf.',
  loading: 'Aufzeichnung wird geöffnet …',
  lost: 'Der Server hat diesen Lauf nicht mehr. „Starten“ erzeugt einen neuen.',
  retry: 'Erneut versuchen',
  blank: 'Jede Taste führt zurück',
  changed: 'Einstellungen geändert; „Starten“ verwendet sie',
  bar: { share: 'Teilen', help: 'Hilfe', dark: 'Dunkel', present: 'Vorführen' },
  gone: (round) => `Der Server antwortet nicht. Was zu sehen ist, ist bis Runde ${round} vollständig.`,
  mend: (value) => `Mit ${value} starten`,
  dismiss: 'Meldung schließen',
  goneEmpty: 'Der Server antwortet nicht.',
  share: {
    label: 'Diesen Lauf behalten',
    link: ['Link kopieren', 'Zu diesem Lauf und dieser Stelle darin'],
    embed: [
      'Einbettungscode kopieren',
      'Ein Rahmen für eine andere Seite; der Server erlaubt ihn mit --embed',
    ],
    cite: ['Quellenangabe kopieren', 'Der Lauf in einer Zeile, mit Link'],
    copied: 'In der Zwischenablage.',
    byHand: 'Das hier kopieren:',
    page: ['Seite herunterladen', 'Eine HTML-Datei, die diesen Lauf ohne Netz abspielt'],
    png: ['Bild herunterladen', 'PNG der Bühne'],
    svg: ['Zeichnung herunterladen', 'SVG der Bühne'],
    csv: ['Tabelle herunterladen', 'CSV: eine Zeile je Token'],
    download: ['Aufzeichnung herunterladen', 'JSON: jede Zahl dieses Laufs'],
    open: ['Aufzeichnung öffnen', 'Eine Datei, die früher gespeichert wurde'],
    lesson: ['Für den Unterricht', 'QR-Code, Arbeitsblatt, zweiter Bildschirm'],
    none: 'Es ist kein Lauf auf der Bühne.',
    waiting: 'Aufzeichnung wird geholt …',
    failed: 'Der Server hat diesen Lauf nicht mehr oder antwortet nicht.',
    done: (name) => `Gespeichert als ${name}`,
  },

  recorded: () => 'Beispiellauf',
  saved: (when) => `Lauf vom ${when.slice(0, 10)}`,
  who: { draft: 'Entwurfsmodell', target: 'Zielmodell', none: (method) => `keins (${method})` },
  asked: 'In der Warteschlange',
  place: (place, size, seconds) =>
    `Warteschlange: Platz ${place} von ${size}${seconds ? `, ${wait(seconds)}` : ''}`,
  meanwhile: 'Inzwischen diesen abspielen',
  repeated: (when) =>
    `hier um ${when.slice(11, 16)} UTC aufgezeichnet: gleiche Einstellungen ergeben denselben Lauf`,
  nothing: 'Vor der ersten Runde zu Ende',
  live: 'Live',
  cut: 'abgeschnitten: Die Verbindung zum Server brach ab; was vorher kam, bleibt',
  done: (stop) =>
    `Eigener Lauf, ${{ stopped: 'gestoppt', deadline: 'Zeit abgelaufen', failed: 'abgebrochen' }[stop] ?? 'fertig'}`,
  ahead: (rounds) => `${plural(rounds, 'Runde', 'Runden')} voraus`,
  failed: (reason) => `Der Lauf brach ab: ${served(reason)}. Was vorher aufgezeichnet wurde, bleibt.`,
  run: ({ drafter, pair, rule, target, temperature, seed, gamma, gamma_rule: by, lossless = true }) =>
    `${drafter} → ${target} · ${by === 'none' ? 'kein γ' : `γ ${by === 'fixed' ? gamma : by}`} · ${temperature === 0 ? 'greedy' : `T ${temperature}`} · Seed ${seed}${rule === 'rejection' ? '' : ` · ${rule}${lossless ? '' : ' (verlustbehaftet)'}`}${pair === 'embedded' ? '' : ` · Paar ${clean(pair)}`}`,
  rate: (percent, kept, tested) => `bisher angenommen: ${percent} % (${kept} von ${tested})`,
  noRate: 'noch nichts geprüft',
  earlier: (many) => `… ${many} frühere Token …`,
  end: (stop, made) => `■ ${ENDS[stop]}, ${made} Token`,
  at: {
    rest: (rounds) => `Der ganze Lauf, ${plural(rounds, 'Runde', 'Runden')}`,
    beat: (round, rounds, kind, slot, slots) =>
      `Runde ${round} von ${rounds}, ${kind}${slot === null ? '' : ` ${slot} von ${slots}`}`,
  },
  bytes: (letter, many, state) => `${letter}, ${many} Token, ${state}`,

  vocabulary: {
    open: 'Das ganze Vokabular zeigen',
    title: (token) => `Das ganze Vokabular dort, wo „${token}“ vorgeschlagen wurde`,
    own: 'Das ganze Vokabular nach dem letzten Vorschlag',
    close: 'Schließen',
    find: 'Token mit diesem Text',
    waiting: 'Die vollen Verteilungen werden neu berechnet …',
    broke: 'Der Server gab keine Antwort. Schließen und erneut öffnen.',
    raw: 'Roh',
    decided: 'Wie entschieden: nach Temperatur, Top-k und Top-p, auf Summe 1 skaliert.',
    rawNote: 'Roh: vor Temperatur, Top-k und Top-p. Die Regel sieht diese Werte nie.',
    shown: (rows, count) => `${rows} von ${count} gezeigt`,
    table: 'Token, nach dem größeren von p und q geordnet',
    columns: { token: 'Token', id: 'ID', p: 'p', q: 'q', keep: 'min(1, p/q)' },
    ranks: 'Jedes Token nach Rang',
    rank: 'Rang',
    probability: 'Wahrscheinlichkeit',
    rankLabel: (size, p, q) =>
      [
        ['p', p],
        ['q', q],
      ]
        .filter(([, ends]) => ends)
        .map(([name, [first, last]]) => `${name} fällt von ${first} auf Rang 1 bis ${last} auf Rang ${size}`)
        .join('; '),
    scatter: 'p gegen q, die Token der Tabelle',
    scatterLabel: (many, more, less) => `Von ${many} Token ist bei ${more} p größer, bei ${less} q`,
    noScatter: 'Nach dem letzten Vorschlag wurde nichts vorgeschlagen, also gibt es kein q zum Vergleich.',
  },

  lane: {
    time: 'Zeit',
    aboutCache:
      'Cache-Länge von Zielmodell und Entwurfsmodell über die Runden. Ein Klick springt zu einer Runde.',
    aboutGamma:
      'Vorschläge je Runde als Linie, angenommene und das eigene Token des Zielmodells als Balken; gepunktet: die mittlere Entropie von q. Ein Klick springt zu einer Runde.',
    aboutTime: (total) =>
      `Gemessene Zeit, ${total} ms insgesamt: Vorschlagen, Durchläufe des Zielmodells, der Rest. Ein Klick springt zu einer Runde.`,
    gammaAt: (gamma, kept) => `${gamma} vorgeschlagen, ${kept} angenommen`,
  },
  why: {
    title: (token, word) => (token === null ? 'Hier ist noch nichts' : `Warum ${word}: ${token}`),
    show: 'In der Grafik zeigen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    close: 'Schließen',
  },
  tabs: {
    label: 'Was die Seite zeigt',
    round: 'Runde',
    race: 'Rennen',
    losslessness: 'Exakt?',
    alpha: 'Annahme',
    compare: 'Vergleich',
    methods: 'Methoden',
    why: 'Wann schneller?',
  },
  cached: (steps, beside) =>
    `Mit Gewichten im Prozessor-Cache bringen Vorschläge weniger: Einfache Schritte sind schnell, eine Prüfung kostet ${steps} davon; aus dem Speicher, wie bei großen Modellen, kaum mehr als einen.${beside ? '' : ' Näheres im Rennen.'}`,
  lab: { broke: 'Nicht gemessen: Die Engine brach ab; Näheres im Protokoll des Servers.' },
  chart: { keeps: 'Dieses Diagramm behalten', keep: (kind) => `Als ${kind.toUpperCase()} speichern` },
  topics: {
    dropped: [
      'Warum fallen die Vorschläge nach einem abgelehnten weg?',
      'Sie wurden für einen Text gemacht, der das abgelehnte Token enthält. Diesen Text gibt es nicht mehr, also sagen ihre Wahrscheinlichkeiten nichts.',
    ],
    residual: [
      'Warum den Ersatz nicht einfach aus p ziehen?',
      'Die angenommenen Vorschläge decken schon ab, wo p und q sich überlappen. Der Ersatz muss aus dem Rest kommen, p − q, sonst kämen manche Token zu oft vor.',
    ],
    rows: [
      'Was ist am Bonus-Token gratis?',
      'Ein Durchlauf über das letzte Token und γ Vorschläge ergibt γ + 1 Verteilungen, eine nach jedem Token. Wenn jeder Vorschlag angenommen ist, liegt die letzte schon vor.',
    ],
    pass: [
      'Ist es wirklich ein einziger Durchlauf?',
      'Ja. Die Vorschläge gehen zusammen hinein, wie ein Prompt, und jeder sieht nur, was vor ihm steht. Das kostet kaum mehr als ein Token, weil das Lesen der Gewichte die meiste Arbeit ist, aber nicht nichts.',
    ],
    slower: [
      'Wann ist es langsamer?',
      'Wenn Vorschläge oft abgelehnt werden, wenn das Entwurfsmodell kaum schneller ist als das Zielmodell oder wenn ein Durchlauf über mehrere Token viel mehr kostet als einer über ein Token.',
    ],
    temperature: [
      'Warum p und q nach der Temperatur?',
      'Der Text soll der Verteilung folgen, die verlangt wurde. Darum wirken Temperatur, Top-k und Top-p zuerst auf beide Modelle, und die Prüfung vergleicht das Ergebnis.',
    ],
    better: [
      'Ist ein angenommenes Token besser als ein abgelehntes?',
      'Nein. Die Prüfung nimmt so an und lehnt so ab, dass das Ergebnis genau so verteilt ist, wie das Zielmodell allein schreiben würde. Mehr Annahme ist schneller, nicht besser.',
    ],
    owes: [
      'Warum liegt das Entwurfsmodell einen Eintrag zurück?',
      'Wenn alle Vorschläge angenommen werden, hat das Entwurfsmodell seinen letzten noch nicht gelesen, denn niemand fragte, was danach kommt. Es liest ihn als Erstes in der nächsten Runde.',
    ],
    letters: [
      'Welcher Buchstabe ist was?',
      'p ist das Zielmodell, q das Entwurfsmodell, wie bei Leviathan et al. 2023. Bei Chen et al. 2023 sind die Buchstaben vertauscht.',
    ],
    ties: [
      'Was, wenn u genau p/q ist?',
      'Dann wird hier abgelehnt: Ein Vorschlag wird angenommen, wenn u·q < p. Der Aufsatz nimmt ihn an; der Fall hat Wahrscheinlichkeit null.',
    ],
  },

  help: {
    title: 'Tasten und Farben',
    close: 'Schließen',
    note: 'Die Tasten wirken, solange die Bühne den Fokus hat, und beim Vorführen überall.',
    letters: 'Tastenkürzel aus einem Zeichen',
    states: 'Jeder Zustand hat eigene Farbe, eigenen Rahmen, eigenes Zeichen und Wort.',
    questions: 'Häufige Fragen',
    keys: [
      ['Leertaste', 'abspielen oder anhalten'],
      ['← →', 'ein Schritt; in der Spur der nächste Vorschlag'],
      ['Umschalt ← →', 'eine Runde'],
      ['Pos1 Ende', 'erster Schritt, letzter Schritt'],
      [', .', 'langsamer, schneller'],
      ['Eingabe', 'warum dieses Token'],
      ['G', 'Zeig es mir: die erste Minute'],
      ['Q', 'mitraten, dann aufdecken'],
      ['[ ]', 'γ weniger, γ mehr, und starten'],
      ['D', 'nächstes Entwurfsmodell, und starten'],
      ['R', 'erneut starten'],
      ['N', 'neuer Seed, und starten'],
      ['T', 'überlagert oder nebeneinander; die Maske als Tabelle'],
      ['A K M', 'Code, Cache, Uhr'],
      ['F', 'vorführen'],
      ['L', 'diesen Lauf behalten'],
      ['1 bis 7', 'die Reiter, von links'],
      ['C', 'Einstellungen'],
      ['Bild ↑ Bild ↓', 'ein Schritt, beim Vorführen'],
      ['B .', 'Bildschirm schwarz, beim Vorführen'],
      ['?', 'diese Hilfe'],
      ['Esc', 'schließen, verlassen'],
    ],
  },

  buttons: {
    roundBack: 'Vorige Runde',
    back: 'Voriger Schritt',
    play: 'Abspielen',
    pause: 'Anhalten',
    forward: 'Nächster Schritt',
    roundForward: 'Nächste Runde',
    scrub: 'Position',
    pace: 'Tempo',
    algorithm: 'Algorithmus 1',
    notes: 'Notizen',
    leave: 'Vorführen beenden',
  },
  paces: {
    auto: 'anfangs langsam',
    reading: 'Lesetempo',
    quick: 'schnell',
    real20: 'Aufnahmetempo, 20× langsamer',
    real5: 'Aufnahmetempo, 5× langsamer',
    real1: 'Aufnahmetempo',
  },
  quoted,
  spoken: { lineBreak: 'Zeilenumbruch', space: 'Leerzeichen', nothing: 'leeres Token' },
};
