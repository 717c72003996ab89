/**
 * race.js: German for tabs/race/words.js and tabs/compare/words.js. Pure.
 */

import { plainName, plural } from '../../base/format.js';
import { head } from './alpha.js';
import { RULES, lengthOf, listed } from '../../base/de/grammar.js';

const runs = (many) => plural(many, 'Lauf', 'Läufe');
const steps = (many) => (String(many) === '1' ? '1 normaler Schritt' : `${many} normale Schritte`);

export const race = {
  title: 'Wer ist zuerst mit dem Text fertig?',
  sources: { same: 'Derselbe Text', run: 'Der Lauf auf der Bühne' },
  sourceNotes: {
    same: 'Beide schreiben denselben Text: dasselbe Rauschen für beide Modelle.',
    other: 'Andere Zufallszahlen, dieselbe Verteilung, also ein anderer Text.',
    equal: 'Beide schreiben denselben Text.',
  },
  pill: (here, { device, ...where }) =>
    `${head.pills[here ? 'here' : 'recorded']}: ${head.machine({ machine: device, ...where })}`,
  running: 'Noch nicht fertig …',
  won: {
    faster: (times) => `${times} schneller`,
    slower: (times) => `${times}: langsamer`,
    close: (times) => `${times}: kein klarer Unterschied`,
  },
  fall: {
    title: 'Wo die Beschleunigung bleibt',
    about: (gamma, ceiling, forks) =>
      `${forks ? 'Ein Zweig mit ' : ''}${String(gamma) === '1' ? '1 Vorschlag' : `${gamma} ${forks ? 'Vorschlägen' : 'Vorschläge'}`} und ein Token des Zielmodells: ${ceiling}×, wenn jeder Vorschlag angenommen würde und alles andere nichts kostete. Jeder Balken zieht weitere Kosten ab.`,
    start: { rejections: 'Obergrenze, γ + 1', unsized: 'Obergrenze' },
    end: 'Gemessen',
    steps: {
      rejections: [
        'Nicht angenommene Vorschläge',
        'Abhilfe: ein Entwurfsmodell, das dem Zielmodell näher ist, oder ein kleineres γ.',
      ],
      unsized: ['Nicht angenommene Vorschläge', 'Abhilfe: Vorschläge, die dem Zielmodell näher sind.'],
      drafting: ['Entwurf', 'Abhilfe: ein kleineres oder schnelleres Entwurfsmodell.'],
      wider: ['Breiterer Durchlauf', 'Abhilfe: Hardware mit freier Rechenleistung, etwa eine GPU.'],
      taught: [
        'Eigene Kosten, mit Lernen',
        'Abhilfe: kleinere oder weniger Anpassungen des Entwurfsmodells.',
      ],
      own: ['Eigene Kosten', 'Abhilfe: weniger Arbeit um die Durchläufe herum (annehmen, ziehen, kürzen).'],
    },
    free: {
      wider: 'Keine Abhilfe nötig: Mehrere Token dauerten nicht länger als eines.',
      other: 'Keine Abhilfe nötig.',
    },
  },
  details: 'Alle Zahlen',
  about: (seconds) =>
    `Führt den Lauf noch 4-mal aus, im Wechsel mit dem großen Modell allein: gleicher Prompt, gleicher Seed, nichts wird dabei gezeichnet. Etwa ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}.`,
  start: 'Hier messen',
  remeasure: 'Hier messen',
  waiting: 'In der Warteschlange.',
  refused: (reason) => `Nicht gemessen: ${reason}.`,
  broke: 'Nicht gemessen: Die Engine brach ab; Näheres im Protokoll des Servers.',
  unraceable: {
    file: 'Dieser Lauf kam aus einer Datei, die der Server nie sieht, also lässt er sich hier nicht messen. „Starten“ erzeugt einen, bei dem es geht.',
    making: 'Dieser Lauf ist noch nicht fertig. Danach lässt er sich hier messen.',
    stopped:
      'Dieser Lauf wurde gestoppt, und nur ein fertiger lässt sich messen. „Starten“ erzeugt einen neuen.',
    deadline:
      'Diesem Lauf lief die Zeit ab, und nur ein fertiger lässt sich messen. Weniger Token verlangen.',
    failed: 'Dieser Lauf brach ab, und nur ein fertiger lässt sich messen. „Starten“ erzeugt einen neuen.',
  },

  lanes: { speculative: 'Mit Vorschlägen', plain: 'Großes Modell allein' },
  result: 'Ergebnis',
  faster: 'schneller als das große Modell allein',
  slower: 'langsamer als das große Modell allein',
  range: (low, high, laps) => `${low} bis ${high} über ${runs(laps)}`,
  close: ' Manche Läufe waren schneller, manche langsamer.',
  columns: {
    lane: 'Spur',
    tokens: 'Token',
    passes: 'Durchläufe',
    time: 'Median',
    rate: 'Token/s',
    range: 'über alle Läufe',
  },
  between: (low, high) => `${low} bis ${high}`,
  reason: {
    slower: (most, alpha, needed) =>
      `Hier langsamer: ${most}; ${alpha} der geprüften Vorschläge wurden angenommen${needed}.`,
    pass: (rows, v) => `ein Durchlauf über ${rows} Token dauert so lange wie ${steps(v)}`,
    drafting: (guesses, drafting, v) =>
      `${plural(guesses, 'Token', 'Token')} vorzuschlagen dauert so lange wie ${steps(drafting)}, das Prüfen ${v}`,
    teaching: (taught) => `, und das Lernen des Entwurfsmodells weitere ${taught}`,
    needed: (alpha) => `, nötig wären ${alpha}`,
    enough: (alpha) => `; ${alpha} würden genügen, aber langsame Ausreißer kosten mehr`,
    never: ', und selbst wenn alle angenommen würden, lohnte es sich nicht',
    nothing: (v) =>
      `Hier langsamer: Nichts wird vorgeschlagen, also ist jede Runde ein normaler Schritt, ${v}, plus Verwaltungsaufwand.`,
    faster: (whole, perRound) =>
      `Eine Runde dauert so lange wie ${steps(whole)}, bringt aber ${perRound} Token.`,
  },

  clock: 'Beide auf einer Uhr',
  legend: {
    plain: 'Durchlauf des großen Modells',
    drafting: 'Vorschlag des Entwurfsmodells',
    other: 'Verwaltungsaufwand',
  },
  track: (name, end, tokens, passes) =>
    `${name}: ${tokens} Token in ${passes} Durchläufen des Zielmodells, fertig nach ${end}`,
  reading: (tokens, all, passes, most) => `${tokens} von ${all} Token · Durchlauf ${passes} von ${most}`,
  ahead: (time) => `⚑ fertig, ${time} Vorsprung`,
  texts: { speculative: 'Text mit Vorschlägen', plain: 'Text des großen Modells allein' },
  same: 'derselbe Text',
  other: 'andere Zufallszahlen, dieselbe Verteilung, also ein anderer Text',

  playback: 'Wiedergabe des Rennens',
  play: 'Das Rennen abspielen',
  pause: 'Das Rennen anhalten',
  restart: 'Von vorn',
  scrub: 'Zeit im Rennen',
  speed: 'Tempo',
  speeds: { 1: 'Aufnahmetempo', 10: '10× langsamer', 50: '50× langsamer' },
  at: (time, total, unit) => `${time} von ${total} ${unit}`,
  said: (time, speculative, plain) => `${time}: mit Vorschlägen ${speculative} Token, allein ${plain} Token`,

  cost: {
    title: 'Was eine Runde kostet',
    unit: (time) => `in normalen Schritten von ${time} ms`,
    caption: 'Was eine Runde kostet und bringt, welche Beschleunigung daraus folgt und welche gemessen ist',
    columns: { name: 'Name', formula: 'Formel mit den Zahlen dieses Rennens', value: 'Wert' },
    c: ['c', 'ein Vorschlag', (draft, t1) => `${draft} / ${t1} ms`],
    level: ['c', 'eine Ebene von Vorschlägen'],
    noDraft: 'nichts wurde vorgeschlagen',
    v: (rows) => [
      `v(${rows})`,
      rows === 1 ? 'ein Durchlauf über ein Token' : `ein Durchlauf über ${rows} Token`,
      (verify, t1) => `${verify} / ${t1} ms`,
    ],
    overhead: ['eigene Kosten', 'annehmen, kürzen, anderes', (rest, t1) => `${rest} / ${t1} ms`],
    teaching: ['davon', 'Lernen des Entwurfsmodells, kürzen', (learned, t1) => `${learned} / ${t1} ms`],
    alpha: ['α', 'angenommen von den geprüften', (kept, tested) => `${kept} / ${tested}`],
    places: ['α', 'Stellen, an denen einer angenommen wurde'],
    expected: [
      'E[Token]',
      'je Runde, wäre α konstant',
      (alpha, power) => `(1 − ${alpha}${power}) / (1 − ${alpha})`,
    ],
    certain: (gamma) => `${gamma} + 1, da α = 1`,
    predicted: [
      'vorhergesagt',
      'E / (γc + v)',
      (expected, gamma, c, v) => `${expected} / (${gamma} · ${c} + ${v})`,
    ],
    measured: ['gemessen', 'ms je Token', (plain, speculative) => `${plain} / ${speculative}`],
    breakEven: ['nötiges α', 'E = γc + v + eigene Kosten', (whole) => `E = ${whole}`],
    why: {
      always: 'lohnt sich schon bei α = 0',
      never: 'lohnt sich nicht einmal bei α = 1',
      nothing: 'auf α kommt es nicht an',
    },
    siblings: {
      bring: (many, all, first, alpha, from, to, gain) =>
        `${many} der ${all} Vorschläge stehen neben einem anderen. Sie heben α von ${first} auf ${alpha}, also E von ${from} auf ${to} Token: ×\u00A0${gain}.`,
      cost: (cost, whole, dear, levels, drafting) =>
        ` Sie kosten ${cost} von ${whole} normalen Schritten der Runde: ×\u00A0${dear}; die ${String(levels) === '1' ? 'Ebene' : `${levels} Ebenen`} des Entwurfs ${drafting}.`,
      pays: ' Hier bringen sie mehr, als sie kosten.',
      loses: ' Hier kosten sie mehr, als sie bringen.',
    },
    gap: (percent, overhead, tokens, perRound, expected, rest) =>
      `Gemessen sind ${percent} % des Vorhergesagten: ×\u00A0${overhead} für den Verwaltungsaufwand, der in der Formel fehlt; ×\u00A0${tokens} für ${perRound} Token je Runde statt ${expected}, da E die Vorschläge als unabhängig nimmt; ×\u00A0${rest} für Ausreißer.`,
  },
  where: (device, dtype, threads, forward) =>
    `Gemessen auf ${device}, ${dtype}, ${plural(threads, 'Thread', 'Threads')}; Durchlauf des Zielmodells: ${forward}.`,
  laps: (laps, when) =>
    `Je ${runs(laps)} nach dem Aufwärmen, im Wechsel; das Lesen des Prompts zählt nicht; ${when}.`,
};

const ruled = (name) => RULES[name] ?? plainName(name);

export const compare = {
  question: 'Welche Entwurfsmethode ist am schnellsten?',
  answer: {
    says: (lane, described) => `so schnell wie einfaches Dekodieren: Spur ${lane}, ${described}.`,
    close: (lanes) =>
      ` ${listed(lanes)} ${lanes.length > 1 ? 'überschneiden' : 'überschneidet'} sich damit: kein klarer Unterschied.`,
    slower: ' Hier ist einfaches Dekodieren schneller als jede Spur.',
  },
  wait: 'Das Urteil kommt, wenn jede Spur gemessen ist.',
  hereOf: (run) => `Dieser Server, gerade eben: ${run}`,
  title: 'Spuren einrichten',
  about: 'Ein Prompt und ein Seed, 2 bis 4 Spuren. Jede läuft 3-mal, ohne zu zeichnen, für die Zeit.',
  nothing:
    '„Vergleichen“ drücken: Die Texte erscheinen nach Position ausgerichtet, mit den Kosten jeder Spur.',

  prompts: 'Prompt',
  presets: {
    stage: 'Der Lauf auf der Bühne',
    repeat: 'Absatz wiederholen',
    code: 'Code',
    json: 'JSON',
    poem: 'Surreales Gedicht',
    primes: 'Beweis',
    digits: 'Zufällige Ziffern',
  },
  seed: 'Seed',
  length: (most) => `Länge (Token, bis ${most})`,
  lanes: 'Spuren',
  lane: (letter) => `Spur ${letter}`,
  fields: {
    drafter: 'Entwurfsmodell',
    gamma: 'γ',
    gamma_rule: 'γ-Regel',
    rule: 'Annahmeregel',
    temperature: 'T',
  },
  ruled,
  add: 'Spur hinzufügen',
  remove: (letter) => `Spur ${letter} entfernen`,
  start: 'Vergleichen',
  waiting: 'In der Warteschlange.',
  done: (done, of) => `${done} von ${plural(of, 'Spur', 'Spuren')} fertig`,
  cancelled: 'Abgebrochen; fertige Spuren bleiben.',
  gaveWay: 'Die andere Frage geht vor; was fertig ist, bleibt.',
  refused: (reason) => `Nicht gemessen: ${reason}.`,

  described: ({ rule, temperature, ...lane }) =>
    `${plainName(lane.drafter)}${lengthOf(lane)}, T = ${temperature}${rule === 'rejection' ? '' : `, ${ruled(rule)}`}`,
  ribbons:
    'Die Texte, nach Position ausgerichtet. Ein Strich vor einem Token: Dort begann ein Durchlauf des Zielmodells. Pfeiltasten gehen von Token zu Token.',
  laneHead: 'Spur',
  pending: { waits: 'In der Warteschlange.', left: 'Nicht dekodiert.' },
  reading: (position) => `Position ${position}:`,
  point: 'Auf ein Token zeigen oder Pfeiltasten nehmen, um zu sehen, was jede Spur dort schrieb.',
  ended: 'das Ende des Textes',

  texts: {
    greedy: (lanes, many) =>
      `${listed(lanes)} schrieben ${many === '1' ? 'dasselbe Token' : `dieselben ${many} Token`}: Bei T = 0 gewinnt das wahrscheinlichste Token des Zielmodells, wer auch vorschlägt. Verschieden ist nur, wer was schrieb.`,
    coupled: (lanes, many) =>
      `${listed(lanes)} schrieben ${many === '1' ? 'dasselbe Token' : `dieselben ${many} Token`}: Mit gemeinsamem Rauschen legt der Seed den Text fest, wer auch vorschlägt. Verschieden ist nur, wer was schrieb.`,
    differ: (one, other, position, here, there, why) =>
      `${one} und ${other} unterscheiden sich ab Token ${position}: „${here}“ und „${there}“. ${why} müssen sie gleich sein, also ist das ein Fehler oder ein numerischer Gleichstand. ${other} auf die Bühne bringen: „Exakt?“ vergleicht mit einfachem Dekodieren und zeigt beide Logits.`,
    must: { greedy: 'Bei T = 0', coupled: 'Mit gemeinsamem Rauschen' },
    law: (lanes) =>
      `${listed(lanes)}: dieselbe Verteilung, andere Zufallszahlen, also ein anderer Text. Jeder folgt genau der Verteilung des Zielmodells bei seiner Temperatur.`,
    chance: (lanes) => `${listed(lanes)}: dieselbe Verteilung und hier, zufällig, derselbe Text.`,
    laws: 'T ist je Spur verschieden, also auch die Verteilung: Die Texte lassen sich nicht vergleichen.',
    alone: (lane) => `Nur Spur ${lane} wurde dekodiert, also gibt es keinen Text zum Vergleich.`,
    none: 'Keine Spur wurde dekodiert; jede sagt, warum.',
  },

  table: 'In Zahlen',
  columns: {
    lane: 'Spur',
    alpha: 'α',
    perPass: 'Token je Durchlauf',
    time: 'Zeit',
    rate: 'Token/s',
    speedup: 'Beschleunigung',
    wasted: 'verworfen',
  },
  cells: { speedup: (speedup, low, high) => `${speedup}× (${low} bis ${high})` },
  timed:
    'Mediane von 3 Läufen nach dem Aufwärmen, im Wechsel mit einfachem Dekodieren; der Prompt zählt nicht. In Klammern: Zählungen und die Spanne über die Läufe.',
  chart: 'Was jede Spur kostete',
  panels: { alpha: 'α', perPass: 'Token je Durchlauf', speedup: 'Beschleunigung', wasted: 'verworfen' },
  says: {
    fastest: (lane, time, made, speedup) =>
      `${lane} ist am schnellsten: ${made} Token in ${time}, ${speedup}× so schnell wie einfaches Dekodieren.`,
    close: (lanes) =>
      ` Die Läufe überschneiden sich mit denen von ${listed(lanes)}: kein klarer Unterschied.`,
    slower: (lanes) => ` Langsamer als einfaches Dekodieren: ${listed(lanes)}.`,
    none: ' Keine Spur schlägt einfaches Dekodieren.',
    most: (lanes, alpha) =>
      ` ${listed(lanes)} ${lanes.length > 1 ? 'haben' : 'hat'} das höchste α, ${alpha}.`,
    wasted: (lanes, slots) =>
      ` ${listed(lanes)} ${lanes.length > 1 ? 'verwerfen' : 'verwirft'} am meisten (${plural(slots, 'Cache-Eintrag', 'Cache-Einträge')}).`,
    noWaste: ' Keine Spur verwirft einen Cache-Eintrag.',
  },

  strategies: {
    title: 'Lohnt sich ein adaptives γ?',
    about: (drafter, tokens, laps) =>
      `„The capital of France is“, „In a shocking turn of events, scientists discovered that“ und „def fibonacci(n):“ mit Docstring, Vorschläge von ${plainName(drafter)}, bei γ = 4 und bei einem adaptiven γ: je ${plural(laps, 'Seed', 'Seeds')} mit ${tokens} Token, im Wechsel mit einfachem Dekodieren.`,
    rule: 'Adaptive γ-Regel',
    start: 'Hier messen',
    here: 'Hier gemessen, gerade eben.',
    done: (done, of) => `${done} von ${of} Läufen fertig`,
    nothing: '„Hier messen“ drücken für Token je Sekunde und Beschleunigung bei jedem Prompt.',
    ways: {
      baseline: 'einfaches Dekodieren',
      fixed: 'festes γ = 4',
      adaptive: (rule) => `adaptiv: ${plainName(rule)}`,
    },
    chart: 'Token je Sekunde und Beschleunigung',
    panels: { rate: 'Token/s', speedup: 'Beschleunigung' },
    about_bar: (name, value, low, high, unit) => `${name}: ${value} ${unit}, ${low} bis ${high}`,
    says: (fixed, adaptive, laps) =>
      `Beschleunigung mit festem γ = 4: ${fixed}; mit adaptivem: ${adaptive} (${String(laps) === '1' ? 'ein Seed' : `Mediane von ${laps} Seeds`}, die Striche zeigen alle).`,
    span: (low, high) => (low === high ? `${low}×` : `${low} bis ${high}×`),
    best: (faster, of) =>
      ` Das adaptive γ ist bei ${faster} von ${plural(of, 'Prompt', 'Prompts')} schneller.`,
    overlaps: (many, of) =>
      ` Bei ${many} von ${of} überschneiden sich die Striche: dort kein klarer Unterschied.`,
    slower: (names) => ` Langsamer als einfaches Dekodieren: ${listed(names)}.`,
    none: ' Einfaches Dekodieren ist bei jedem Prompt schneller als beide.',
    slowerOne: (way, prompt) => `${{ fixed: 'festes', adaptive: 'adaptives' }[way]} γ bei „${prompt}“`,
    columns: ['Prompt', 'Art', 'Seed', 'Token', 'ms', 'ms (einfach)', 'Token/s', 'Beschleunigung', 'α'],
  },
};
