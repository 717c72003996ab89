/**
 * alpha.js: German for tabs/words.js, tabs/alpha/words.js and tabs/methods/words.js. Pure.
 */

import { plainName, plural } from '../../base/format.js';
import { capital, inWords, lengthOf } from '../../base/de/grammar.js';

const MONTHS = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
];
const day = (when) =>
  `${Number(when.slice(8, 10))}. ${MONTHS[Number(when.slice(5, 7)) - 1]} ${when.slice(0, 4)}`;
const range = (low, high) => (low === high ? low : `${low} bis ${high}`);
const rounds = (many) => plural(many, 'Runde', 'Runden');
const runs = (many) => plural(many, 'Lauf', 'Läufe');

export const head = {
  pills: {
    recorded: 'Aufgezeichnet',
    here: 'Hier gemessen',
    stage: 'Der Lauf auf der Bühne',
    busy: 'Es wird gemessen',
    none: 'Noch nicht gemessen',
  },
  machine: ({ machine, threads, recorded }) =>
    `${machine}, ${plural(threads, 'Thread', 'Threads')}, ${day(recorded)}`,
  run: (opening, config) =>
    `„${opening}“, ${plainName(config.drafter)}${lengthOf(config)}, T = ${config.temperature}, Seed ${config.seed}`,
  other: (run) => `Nicht der Lauf auf der Bühne: ${run}.`,
  same: (run) => `Vom Lauf auf der Bühne: ${run}.`,
  measure: 'Hier messen',
  remeasure: 'Erneut messen',
  cancel: 'Abbrechen',
  progress: 'Fortschritt der Messung',
  waiting: 'In der Warteschlange.',
};

export const alpha = {
  question: 'Wie oft werden Vorschläge angenommen?',
  answer: (forks, accepted, tested) =>
    `der geprüften ${forks ? 'Positionen' : 'Vorschläge'} (α): ${accepted} von ${tested} in diesem Lauf`,
  noAnswer: 'In diesem Lauf wurde kein Vorschlag geprüft.',
  rates: {
    title: 'Drei Annahmequoten',
    caption: 'Drei Annahmequoten dieses Laufs und die mittlere Überlappung',
    columns: { name: 'Quote', counts: 'Zählung', value: 'Anteil', interval: '95 %' },
    names: {
      tested: ['α', 'angenommen / geprüft', 'der geprüften Vorschläge'],
      drafted: ['', 'angenommen / vorgeschlagen', 'aller Vorschläge'],
      emitted: ['', 'angenommen / geschrieben', 'Anteil des Entwurfsmodells am Text'],
      overlap: ['β', 'mittlere Überlappung', 'Σ min(p, q): α ohne das Glück'],
    },
    positions: 'der geprüften Positionen: Geschwister zählen einmal',
    coupled: 'was Rejection-Sampling annähme; gemeinsames Rauschen nimmt nicht mehr an',
    typical: 'was Rejection-Sampling annähme; eine verlustbehaftete Regel kann mehr annehmen',
    slots: (many) => plural(many, 'Position', 'Positionen'),
    interval: (low, high) => `${low} bis ${high}`,
    gamma: (mean, low, high, many) =>
      `γ = ${mean} im Mittel${low === high ? '' : ` (${low} bis ${high})`} über ${rounds(many)}`,
    passes: (tokens, reach) => `${tokens} ± ${reach} Token je Durchlauf des Zielmodells`,
    note: 'Die 95-%-Intervalle (Wilson) sind grob: Vorschläge einer Runde hängen voneinander ab.',
    none: 'γ war 0, also wurde nichts vorgeschlagen, und dieser Lauf hat kein α. γ über 0 setzen und „Starten“ drücken.',
    untested:
      'In diesem Lauf wurde kein Vorschlag geprüft, also hat er kein α. „Starten“ erzeugt einen anderen.',
  },
  slots: {
    title: 'Annahme nach Position',
    x: 'Position im Entwurf',
    y: 'Anteil angenommen',
    kept: 'angenommen / geprüft',
    overlap: 'mittlere Überlappung',
    at: (slot, value, part, whole, low, high) =>
      `Position ${slot}: ${value} (${part} von ${whole} geprüften), 95 % ${low} bis ${high}`,
    overlapAt: (slot, value) => `Position ${slot}: mittlere Überlappung ${value}`,
    says: (first, n, last, slot, m, trend) =>
      `${first} von ${n} ersten Vorschlägen angenommen, ${last} der ${m}, die Position ${slot} erreichen: ${trend}`,
    one: (first, n) => `${first} von ${n} ersten Vorschlägen angenommen; weiter hinten wurde nichts geprüft.`,
    trends: {
      up: 'mehr, weil nur leichter Text so weit kommt.',
      down: 'weniger, weil spätere Vorschläge auf Vorschlägen stehen.',
      none: 'zu wenige Fälle für einen Trend.',
    },
  },
  kept: {
    title: 'Angenommen je Runde',
    x: 'angenommene Vorschläge',
    y: 'Runden',
    measured: 'dieser Lauf',
    predicted: 'vorhergesagt mit konstantem α',
    at: (many, number) => `${many} angenommen: ${rounds(number)}`,
    says: (forks, full, number, predictedFull, none, predictedNone) =>
      `${forks ? 'Ein ganzer Zweig wurde' : 'Alle Vorschläge wurden'} in ${full} von ${number} ${String(number) === '1' ? 'Runde' : 'Runden'} angenommen, keiner in ${none}; ein konstantes α sagt ${predictedFull} und ${predictedNone} voraus.`,
  },
  tokens: {
    title: 'Token je Durchlauf des Zielmodells',
    y: 'Token je Durchlauf',
    curve: (value) => `Theorie bei α = ${value}`,
    run: 'dieser Lauf',
    swept: 'gemessen, 3 Seeds',
    at: (gamma, tokens, low, high) => `γ = ${gamma}: ${tokens} (${range(low, high)})`,
    runAt: (gamma, tokens, reach) => `dieser Lauf, γ = ${gamma}: ${tokens} ± ${reach}`,
    gap: (measured, expected, base, gamma, change) =>
      `Gemessen: ${measured} Token je Durchlauf; die Theorie sagt ${expected} voraus, bei α = ${base}, γ = ${gamma}${change}.`,
    parts: {
      byGamma: (size, others, number) =>
        `${size} aus ${others} von ${number} Runden mit anderem γ, meist vom Ende abgeschnitten`,
      ended: (size) => `${size} aus einem Text, der unter seinen Vorschlägen endete`,
      rest: (size) => `${size} aus dem Ansatz eines konstanten α`,
    },
    change: (share, fewer) => `, ${share} % ${fewer ? 'weniger' : 'mehr'}`,
    because: (parts) => ` Der Abstand: ${parts.join('; ')}.`,
    chance: (reach) => ` Schon der Zufall verschiebt die gemessene Zahl um ± ${reach}.`,
    beyond: (reach) => ` Das ist mehr als Zufall (± ${reach}): Leichte und schwere Stellen häufen sich.`,
    none: 'Ohne ein α dieses Laufs gibt es keine Kurve; die Punkte gehören zur Messreihe.',
    mixture: (gamma, mean, tokens, predicted, counted, atCounted) =>
      `Wie weit ein einziges α irreführen kann: Hätte die Hälfte der Runden α = 0.95 und die andere 0.45, brächte eine Runde mit γ = ${gamma} im Mittel ${tokens} Token. Die Theorie sagt ${predicted} beim Mittel ${mean} voraus und ${atCounted} bei den ${counted}, auf die angenommen / geprüft kommt, weil in leichten Runden mehr Vorschläge geprüft werden.`,
  },
  speed: {
    title: 'Beschleunigung nach γ',
    x: 'γ, Vorschläge je Runde',
    y: 'Beschleunigung',
    from: {
      measured: 'vorhergesagt, gemessene Kosten',
      raced: 'vorhergesagt, Kosten aus dem Rennen',
      free: 'vorhergesagt, ohne Kosten',
    },
    whatIf: 'eigene Werte',
    swept: 'gemessen, 3 Seeds',
    mark: (gamma, times) => `bestes γ = ${gamma}: ${times}`,
    at: (gamma, times, low, high) => `γ = ${gamma}: ${times}${low === high ? '' : ` (${low} bis ${high})`}`,
    says: (value, c, rows, v, overhead, gamma, times) =>
      `Theorie: α = ${value}, c = ${c}, v(${rows}) = ${v}${overhead}, also ist γ = ${gamma} am besten, ${times}.`,
    overhead: (value) => `, Nebenkosten ${value} Schritte des Zielmodells je Runde`,
    free: (times, gamma) =>
      `Wären Vorschläge und breitere Durchläufe kostenlos, wäre mehr immer besser: ${times} bei γ = ${gamma}. Erst gemessene Kosten zeigen, wo es kippt.`,
    supposed: (value, c, rows, v, gamma, times) =>
      ` Eigene Werte α = ${value}, c = ${c}, v(${rows}) = ${v}: γ = ${gamma}, ${times}.`,
    compared: (gamma, times, low, high, bestGamma, predicted) =>
      ` Gemessen: γ = ${gamma} ist am besten, ${times}${low === high ? '' : ` (${low} bis ${high})`}; die Theorie sagt ${bestGamma === gamma ? 'dasselbe γ' : `γ = ${bestGamma}`} voraus, ${predicted}.`,
    close: (gammas) =>
      ` ${gammas.length > 3 ? `${gammas.length} andere reichen` : `γ = ${gammas.join(', ')} ${gammas.length > 1 ? 'reichen' : 'reicht'}`} in seinen Bereich: kein klarer Unterschied.`,
    never: ' Kein gemessenes γ schlägt hier einfaches Dekodieren.',
    none: 'Ohne ein α dieses Laufs gibt es nichts, woraus sich vorhersagen ließe; die Punkte gehören zur Messreihe.',
  },
  bench: {
    title: 'Messen oder Werte ausprobieren',
    costs: 'Nur Kosten messen',
    sweep: 'γ = 0 bis 12 hier messen',
    noLength:
      'Die Vorschläge dieses Laufs haben keine Länge zu wählen: Es gibt kein γ, das sich durchmessen ließe.',
    reset: 'Zurücksetzen',
    about: (tokens, greedy) =>
      `39 Läufe, nicht gezeichnet: 13 Werte von γ, je 3 Seeds${greedy ? ' (greedy: ein Text, dreimal gemessen)' : ''}, bis zu ${tokens} Token, im Wechsel mit einfachem Dekodieren.`,
    from: {
      here: 'Hier gemessen: ',
      before: (machine) => `Aufgezeichnet auf ${machine}. `,
      strange: (run) => `Nicht der Lauf auf der Bühne: ${run}. `,
      measured: (draft, step, rows, pass, rest) =>
        `Ein Vorschlag dauert ${draft} ms, ein Durchlauf des Zielmodells ${step} ms für ein Token und ${pass} ms für ${rows}; der Rest einer Runde ${rest} ms.`,
      raced: 'Die Kosten stammen aus dem Rennen dieses Laufs; jedes weitere Token kostet gleich viel.',
      free: 'Die Kosten sind noch nicht gemessen: Die Kurve zeigt, wie es wäre, wenn Vorschläge und breitere Durchläufe kostenlos wären.',
    },
    waiting: { costs: 'Kosten messen: in der Warteschlange.', sweep: 'In der Warteschlange.' },
    first: 'Zuerst die Kosten: in der Warteschlange.',
    done: (done, of) => `${done} von ${of} Läufen`,
    swept: (cells) => `${cells} Läufe gemessen.`,
    cancelled: (cells) =>
      cells === '0'
        ? 'Abgebrochen.'
        : `Nach ${cells === '1' ? '1 Lauf' : `${cells} Läufen`} abgebrochen; was gemessen ist, bleibt.`,
    stopped: (cells, reason) => `${runs(cells)} gemessen, dann: ${reason}.`,
    refused: (reason) => `Nicht gemessen: ${reason}.`,
    whatIf: 'Werte ausprobieren',
    sliders: {
      alpha: ['α', 'Chance, einen Vorschlag anzunehmen'],
      c: ['c', 'Kosten eines Vorschlags, in Schritten des Zielmodells'],
      cost: ['v(5)', 'Kosten eines Durchlaufs über 5 Token, in Schritten des Zielmodells'],
    },
    ofTree: (rows) => ({
      c: ['c', 'Kosten einer Ebene von Vorschlägen, in Schritten des Zielmodells'],
      cost: [
        `v(${rows})`,
        `Kosten eines Durchlaufs über die ${rows} Token des Baums, in Schritten des Zielmodells`,
      ],
    }),
    tilt: 'v(5) bestimmt, wie steil v(k) steigt: Jedes weitere Token kostet gleich viel.',
  },
  thumbs: {
    title: 'Faustregeln, mit den Zahlen dieses Laufs',
    columns: { rule: 'Regel, mit Zahlen', value: 'sagt voraus', leaves: 'was sie auslässt' },
    rows: {
      most: [
        'γ + 1',
        (gamma) => `${gamma} + 1`,
        'Jede Ablehnung, alle Kosten. So viele bringt eine Runde bei α = 1.',
      ],
      refused: [
        '(1 + γ) / (1 + P(ablehnen))',
        (gamma, chance) => `(1 + ${gamma}) / (1 + ${chance})`,
        'Alle Kosten; und es ist kein Mittelwert: Bei α = 0 sagt sie noch (1 + γ) / 2 voraus, wo eine Runde 1 bringt.',
      ],
      price: [
        '(γ + 1) / (1 + k / (γ + 1))',
        (kept, drafted) => `(${kept} + 1) / (1 + ${drafted} / (${kept} + 1))`,
        'Gemessene Kosten: Ihr γ ist die mittlere Zahl der angenommenen, k die Vorschläge je Runde, jeder zu 1 / (γ + 1) Schritten des Zielmodells, und der Durchlauf zu 1.',
      ],
    },
    measured: {
      raced: (times) => `Das Rennen maß ${times}.`,
      swept: (times, gamma) => `Über alle γ ist ${times} der beste gemessene Wert, bei γ = ${gamma}.`,
      none: 'Diesen Lauf unter „Rennen“ messen oder γ hier durchmessen, um sie mit einer Messung zu vergleichen.',
    },
  },
};

const KINDS = { all: 'alle drei', tale: 'Märchen', verse: 'Verse', code: 'Code' };
const on = (kind) =>
  kind === 'all'
    ? 'Auf allen drei Textarten'
    : `Auf ${{ tale: 'Märchen', verse: 'Versen', code: 'Code' }[kind]}`;
const slowMethods = (many) => (many === 1 ? 'eine Methode ist' : `${inWords(many)} Methoden sind`);

export const overview = {
  question: 'Welche Methode ist hier die schnellste?',
  about: 'Jede Entwurfsmethode, auf dieser Maschine gegen einfaches Dekodieren gemessen.',
  kinds: { label: 'Textart', names: KINDS },
  fastest: (kind, name) => `${on(kind)} ist ${name} am schnellsten, verglichen mit einfachem Dekodieren.`,
  close: (kind, name, rival) => `${on(kind)} sind ${name} und ${rival} nicht klar zu trennen.`,
  slower: (many) => (many ? ` ${capital(slowMethods(many))} langsamer als ohne Entwurf.` : ''),
  progress: (job, done, of, minutes) =>
    `${done} von ${of} Methoden ${job === 'sweep' ? 'gemessen' : 'auf Exaktheit geprüft'}${minutes === null ? '' : minutes < 1 ? ', weniger als eine Minute' : `, etwa ${plural(Math.round(minutes), 'Minute', 'Minuten')}`}`,
  waiting: 'In der Warteschlange.',
  cancelled: 'Gestoppt. Was gemessen ist, bleibt.',
  here: (run) => `Mit den Einstellungen von ${run}.`,
  plain: 'einfaches Dekodieren',
  columns: {
    name: 'Methode',
    tokens: 'Token je Durchlauf',
    speedup: 'Beschleunigung',
    alpha: 'α',
    cost: 'Rundenkosten',
    memory: 'Speicher',
    needs: 'braucht',
    exact: 'exakt',
  },
  hints: {
    tokens: 'Token für jeden Durchlauf des Zielmodells',
    speedup:
      'Vielfaches des einfachen Dekodierens; klein der langsamste und der schnellste Lauf; die Marken sind Märchen, Verse und Code',
    alpha: 'Anteil der geprüften Vorschläge, die angenommen wurden; im Baum der geprüften Positionen',
    cost: 'In Schritten des einfachen Dekodierens',
    memory: 'Neben dem Zielmodell: Gewichte, Tabellen, Caches',
    exact:
      'Greedy-Texte, die denen des einfachen Dekodierens gleichen; p: gezogene Token gegen die Verteilung des Zielmodells',
  },
  caption: (kind) => `Methoden, ${KINDS[kind]}`,
  sort: (column) => `Nach ${column} sortieren`,
  range: (low, high) => `${low} bis ${high}`,
  strip: (kinds) => kinds.map(([kind, value]) => `${KINDS[kind]} ${value}`).join(', '),
  run: (name) => `${name} auf den Prompt in der Leiste anwenden`,
  steps: (value) => plural(value, 'Schritt', 'Schritte'),
  exact: '✓ exakt',
  lossy: '≈ nicht exakt',
  isLossy: ', verlustbehaftet',
  untried: 'nicht geprüft',
  tried: ({ equal, prompts, ties }, p) =>
    `${equal}/${prompts} Texte${ties ? `, ${ties} unentschieden` : ''}${p === null ? '' : `, p ${p}`}`,
  missing: 'nicht gemessen',
  lacks: (asset) => `braucht ${asset}`,
  chart: {
    title: 'Was eine Runde kostet und was sie bringt',
    says: (kind, many) =>
      `${on(kind)}: Jeder Punkt ist eine Methode. Oben heißt mehr Token je Durchlauf, links eine billigere Runde. Entlang einer Linie ist die Beschleunigung gleich; im schraffierten Teil ${many === 0 ? 'ist keine Methode' : slowMethods(many)} langsamer als ohne Entwurf.`,
    x: 'Kosten einer Runde, in einfachen Schritten',
    y: 'Token je Durchlauf des Zielmodells',
    plain: 'einfaches Dekodieren',
    point: (name, tokens, cost, speedup, low, high) =>
      `${name}: ${tokens} Token je Durchlauf, eine Runde kostet ${cost} Schritte, ${speedup} (${low} bis ${high})`,
    columns: [
      'Methode',
      'Textart',
      'Token je Durchlauf',
      'Beschleunigung',
      'langsamster',
      'schnellster',
      'α',
      'Kosten einer Runde',
      'Speicher, Bytes',
      'gleiche Greedy-Texte',
      'von',
      'p der gezogenen Token',
    ],
  },
};

export const training = {
  title: 'Wie die Köpfe das Vorschlagen lernten',
  about:
    'Köpfe des eingebauten Paars, trainiert auf Text, den das Zielmodell schrieb. Gemessen auf zurückgehaltenem Text, bei Temperatur 0.8.',
  choose: 'Wessen Training',
  learned: {
    title: (kind) => `${kind}: Annahme je Stelle über das Training`,
    x: 'Trainingsschritt',
    y: 'Chance auf Annahme (α)',
    depth: (place) => `Stelle ${place}`,
    at: (step, place, share) => `Schritt ${step}, Stelle ${place}: ${share}`,
    says: (steps, first, places, last, dips) =>
      `Nach ${steps} Schritten ist α ${first} an der ersten Stelle und ${last} an Stelle ${places}.${dips ? ' Wo die Linien fallen, ging das Training wieder mit größeren Schritten weiter.' : ''}`,
  },
  feedback: {
    title: 'EAGLE mit und ohne Rückführung im Training',
    x: 'Stelle im Entwurf',
    fed: 'eigene Ausgaben zurückgeführt',
    alone: 'nie zurückgeführt',
    at: (place, name, share) => `Stelle ${place}, ${name}: ${share}`,
    says: (steps, firstAlone, lastAlone, first, last) =>
      `Je ${steps} Schritte. Ohne Rückführung fällt α von ${firstAlone} auf ${lastAlone}; mit ihr von ${first} nur auf ${last}.`,
  },
};
