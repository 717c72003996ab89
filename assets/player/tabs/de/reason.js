/**
 * reason.js: German for tabs/why/words.js. Pure.
 */

import { plainName, plural } from '../../base/format.js';
import { lengthOf } from '../../base/de/grammar.js';

const BOUND = {
  traffic: (share) =>
    `${share} davon ist das Lesen der Gewichte: Der Durchlauf wartet auf den Speicher, also kosten weitere Token wenig`,
  arithmetic: (share) =>
    `${share} davon ist Rechnen: Der Durchlauf wartet auf Multiplikationen, also kostet jedes weitere Token`,
  steps: (share) =>
    `das Größere von beiden ist ${share} davon. Keins begrenzt ihn; der Aufwand je Schicht tut es (kleines Modell)`,
};
const AGAINST = {
  stays: () => 'über 1, so weit gemessen wurde',
  falls: ([from]) => `ab B = ${from} liegt sie unter 1: Der Batch verbraucht die freie Rechenleistung`,
  never: () => 'durchweg unter 1',
  mixed: (below) => `unter 1 bei B = ${below.join(', ')}`,
};
const threads = (many) => plural(many, 'Thread', 'Threads');

export const reason = {
  question: 'Wann ist es schneller?',
  answer: (rows) =>
    `kostet ein Durchlauf über ${rows} Token, verglichen mit einem Token. Eine Runde lohnt sich, wenn sie mehr Token bringt, als sie in Schritten des Zielmodells kostet.`,
  about:
    'Ein Durchlauf liest alle Gewichte, ob er ein Token trägt oder fünf. Prüfen ist billig, solange das Lesen länger dauert als das Rechnen.',
  ask: { temperature: 'Temperaturen hier messen', genre: 'Textarten hier vergleichen' },
  hereOf: (run) => `Dieser Server, gerade eben: ${run}`,
  waiting: 'In der Warteschlange.',
  stages: (done, of, next) => `${done} von ${of}, jetzt ${next}`,
  next: ['Speicher und Rechnen', 'Durchläufe über 1 bis 64 Token', 'Batches'],
  runs: (done, of) => `${done} von ${of} Läufen`,
  cancelled: 'Abgebrochen; was gemessen ist, bleibt.',
  refused: (why) => `Nicht weiter gemessen: ${why}.`,
  sections: {
    machine: 'Was ein Durchlauf kostet',
    text: 'Was Temperatur und Text mit der Annahme machen',
    worked: 'Durchgerechnete Beispiele',
  },
  tokens: 'Token je Durchlauf, k',
  series: {
    traffic: 'Gewichte lesen',
    arithmetic: 'Rechnen',
    measured: 'gemessen',
    plain: 'einfaches Dekodieren',
    stick: 'Anpassung: flach, dann steigend',
    predicted: 'Beschleunigung, vorhergesagt',
    v: 'Kosten eines Durchlaufs, gemessen',
    alpha: 'α',
    perPass: 'Token je Durchlauf',
    speedup: 'Beschleunigung',
  },
  threads,

  roofline: {
    title: 'Was einen Durchlauf auf dieser Maschine begrenzt',
    says: ({ weights, traffic, speed, cache, arithmetic, rate, threads: many, device }) =>
      `${weights} Gewichte zu lesen dauert ${traffic} bei ${speed}${cache}; das Rechnen für ein Token ${arithmetic} bei ${rate} (${device}, ${many}).`,
    cache: {
      fits: (size) => ` (sie passen in den Cache von ${size})`,
      over: (size, memory) => ` (der Cache fasst ${size}; der Speicher liefert ${memory})`,
      unknown: (memory) => ` (der Speicher liefert ${memory})`,
    },
    bound: (pass, bound, share) => ` Ein gemessener Durchlauf dauert ${pass}; ${BOUND[bound](share)}.`,
    rows: (rows, arithmetic, pass) => ` Mit ${rows} Token: Rechnen ${arithmetic}, der Durchlauf ${pass}.`,
  },
  textbook: {
    title: 'Das Lehrbuch: Llama-2-70B auf einer A100',
    says: (traffic, arithmetic, times, ridge) =>
      `Gewichte: 140 GB / 2 TB/s = ${traffic}. Rechnen: 140 GFLOP / 312 TFLOP/s = ${arithmetic}. Lesen dauert ${times}-mal so lange, also sind bis zu etwa ${ridge} Token je Durchlauf fast gratis. (140 GB passen nicht auf eine Karte; hier zählt nur die Bandbreite.)`,
    ridge: (ridge) => `gleich bei ${ridge}`,
  },
  passes: {
    title: 'v(k): die Kosten eines Durchlaufs über k Token',
    knee: (knee) => `Knick: ${knee}`,
    flat: (knee, level, slope) =>
      `Flach bis k = ${knee}, bei ${level}×; danach kostet jedes weitere Token ${slope} mehr.`,
    level: (last, level) => `Flach, so weit gemessen wurde, bis k = ${last}, bei ${level}×.`,
    rises: (slope) => `Kein flacher Teil: Jedes weitere Token kostet ${slope} mehr.`,
    tree: (rows) => `Baum: ${rows}`,
    pays: (rows, v) => ` Ein Durchlauf über γ + 1 = ${rows} kostet ${v}×.`,
    paysTree: (rows, v) => ` Ein Durchlauf über den Baum dieses Laufs, ${rows} Token, kostet ${v}×.`,
    laps: (laps, behind) =>
      ` Mediane von ${laps}; die Striche zeigen den Interquartilsabstand; ${behind} Token im Cache.`,
  },
  batch: {
    title: 'Viele Texte zugleich',
    x: 'Texte im Batch, B',
    measured: (gamma, first, v, last, most) =>
      `Mit B Texten zugleich kostet ein Durchlauf über je ${gamma + 1} Token ${v}× bei B = ${first} und ${most}× bei B = ${last} (gemessen mit der Bibliothek transformers).`,
    predicted: (alpha, first, speedup, last, most, against, below) =>
      ` Vorhergesagte Beschleunigung bei α = ${alpha}: ${speedup}× bei B = ${first}, ${most}× bei B = ${last}; ${AGAINST[against](below)}.`,
    nothing: ' In diesem Lauf wurde nichts vorgeschlagen, also gibt es kein α für eine Vorhersage.',
    table: ' Das Entwurfsmodell ist eine Tabelle, die Text für Text gefragt wird.',
  },
  temperature: {
    title: 'Annahme nach Temperatur',
    x: 'Temperatur',
    says: (first, low, last, high, runs, trend) =>
      `α ist ${low} bei T = ${first} und ${high} bei T = ${last}${trend}; je bis zu ${runs === 1 ? 'ein Lauf' : `${runs} Läufe`}, 95-%-Intervalle (Wilson).`,
    trends: {
      falls: ': Bei höherer Temperatur ist der Text schwerer zu erraten',
      rises: ': Bei höherer Temperatur ist der Text hier leichter zu erraten',
      unclear: ': kein klarer Unterschied',
    },
    one: (at, alpha) => `α ist ${alpha} bei T = ${at}; eine andere Temperatur wurde nicht gemessen.`,
  },
  genre: {
    title: 'Annahme nach Textart',
    names: { code: 'Code', tale: 'Märchen', verse: 'Verse' },
    y: 'α · Token je Durchlauf · ×',
    says: (best, alpha, times, worst, least, fewer, apart) =>
      `Am leichtesten zu erraten: ${best}, α = ${alpha}, ${times}×. Am schwersten: ${worst}, α = ${least}, ${fewer}×.${apart ? '' : ' Die 95-%-Intervalle überschneiden sich: kein klarer Unterschied.'}`,
    one: (name, alpha, times) =>
      `${name}: α = ${alpha}, ${times}×; eine andere Textart wurde nicht gemessen.`,
    untested: 'Kein Vorschlag wurde geprüft, also gibt es kein α zum Vergleich.',
  },
  with: (config) => ` Vorschläge von ${plainName(config.drafter)}${lengthOf(config)}.`,
  columns: {
    roofline: ['Token in einem Durchlauf', 'Gewichte lesen (ms)', 'Rechnen (ms)', 'Durchlauf (ms)'],
    passes: ['Token in einem Durchlauf', 'v', 'Durchlauf (ms)', 'unten', 'oben'],
    batch: ['Texte', 'v_B', 'c_B', 'vorhergesagte Beschleunigung'],
    sweep: (of) => [
      { temperature: 'Temperatur', genre: 'Textart' }[of],
      'Läufe',
      'angenommen',
      'geprüft',
      'α',
      'unten',
      'oben',
      'Token je Durchlauf',
      'Beschleunigung',
    ],
  },

  worked: {
    pick: 'Beispiel',
    columns: ['was', 'mit Zahlen', 'Ergebnis'],
    printed: 'ursprüngliche Zahl ',
    invalid: 'Eine Zahl fehlt oder liegt außerhalb; die Ergebnisse unten stammen von den letzten gültigen.',
    names: {
      keep: 'To be or not to be',
      timing: '48 ms gegen 160 ms',
      tokens: 'Token je Durchlauf bei K Vorschlägen',
      best: 'Das beste K',
    },
    fields: {
      guesses: 'Vorschläge, K',
      draft: 'ein Vorschlag, ms',
      target: 'ein Durchlauf, ms',
      alpha: 'α',
      p: 'p',
      q: 'q',
      r: 'r',
    },
    keep: {
      guess: (index) => `Vorschlag ${index}`,
      test: (p, q, ratio, r, sure) =>
        `p/q = ${p}/${q} = ${ratio}${sure ? ' ≥ 1, was r auch ist' : ` gegen r = ${r}`}`,
      kept: 'angenommen',
      refused: 'abgelehnt',
      says: {
        refused: (kept, guess) =>
          `${kept} angenommen; bei Vorschlag ${guess} wird das eigene Token des Zielmodells aus norm(max(0, p − q)) gezogen: ${kept} + 1 ersetztes = ${kept + 1} Token aus einem Durchlauf.`,
        kept: (kept) =>
          `Alle ${kept} angenommen, und derselbe Durchlauf gibt ein Bonus-Token: ${kept} + 1 = ${kept + 1} Token.`,
      },
    },
    timing: {
      round: 'eine Runde',
      plain: 'einfaches Dekodieren',
      claimed: 'behauptete Beschleunigung',
      all: (k) => `alle ${k} angenommen: ${k + 1} Token`,
      tokens: (alpha) => `E[Token] bei α = ${alpha}`,
      then: 'Beschleunigung bei diesem α',
      says: (k, alpha, times) =>
        `Zweierlei fehlt. Werden alle ${k} Vorschläge angenommen, bringt der Durchlauf ${k + 1} Token, nicht ${k}; und das ist selten: Bei α = ${alpha} sind es ${times}×. Und ein Durchlauf über ${k + 1} Token soll nicht mehr kosten als einer über ein einzelnes.`,
    },
    tokens: {
      says: (k, wrong) =>
        `E = (1 − α^(K+1)) / (1 − α), Leviathan et al. 2023, Gleichung 1${wrong ? `. ${wrong} der ursprünglichen Zahlen lassen sich nicht nachrechnen` : ''}.`,
    },
    best: {
      there: (k, alpha, times) => `K = ${k} bei α = ${alpha} ergibt ${times}×`,
      says: (c, most, there) =>
        `Das K von 0 bis ${most} mit dem größten E / (Kc + 1), wobei c = ${c} und ein Durchlauf gleich viel kostet, wie viele Vorschläge er auch trägt${there.length ? `. Die ursprünglichen Zahlen lassen sich nicht nachrechnen: ${there.join(', ')}` : ''}.`,
    },
  },
};
