/**
 * page.js: German for trace/words.js and page/words.js. File names and what a file says arrive raw, as there.
 */

import { bytes, clean, count } from '../format.js';
import { served } from './served.js';

const LONGEST = 60;

function named(name) {
  const letters = Array.from(name);
  const shown = letters.length > LONGEST ? [...letters.slice(0, LONGEST), '…'] : letters;
  return `\u2068${clean(shown.join(''))}\u2069`;
}

export const file = {
  drop: 'Eine Aufzeichnung hier ablegen. Sie wird in diesem Browser geöffnet und nirgendwohin geschickt.',
  another: 'Andere Datei öffnen',
  opened: ({ name, of, dropped, why }) =>
    `aus einer Datei geöffnet: ${named(name)}${of > 1 ? `, die erste von ${count(of)}` : ''}` +
    (dropped
      ? ` · ${dropped === 1 ? '1 Teil' : `${count(dropped)} Teile`} der Datei ausgelassen: ${why}${dropped > 1 ? '; …' : ''}`
      : ''),
  refused: (name, of, reason) =>
    `${named(name)}${of > 1 ? `, die erste von ${count(of)} Dateien,` : ''} wurde nicht geöffnet: ${reason}.`,
  unreadable: 'der Browser konnte sie nicht lesen; ist es eine Datei, und ist sie noch da?',
  unanswerable:
    'dieser Lauf kam aus einer Datei, die der Server nie sieht; „Starten“ erzeugt einen, für den er antworten kann',
  alone: 'das ganze Vokabular braucht die Modelle, und die hat diese Seite nicht',
  charts:
    'Dieser Lauf kam aus einer Datei, die der Server nie sieht, und er zeichnet diese Diagramme. Die Spuren unter der Runde zeigen dieselben Zahlen.',

  large: (size, most) => `sie ist ${bytes(size)} groß; geöffnet werden höchstens ${bytes(most)}`,
  encoding: 'sie ist kein UTF-8-Text; so speichern, wie python -m specviz run … --out trace.json es tut',
  syntax:
    'sie ist kein JSON oder nicht vollständig; neu erzeugen mit python -m specviz run … --out trace.json',
  noTrace:
    'sie ist JSON, aber keine Aufzeichnung von specviz, die eine Zahl namens schema hat; python -m specviz run … --out trace.json schreibt eine',
  schema: (found, wanted) =>
    found < wanted
      ? `sie ist eine Aufzeichnung nach Schema ${found}, und diese Seite liest Schema ${wanted}; den Lauf mit dieser Version neu erzeugen: python -m specviz run … --out trace.json`
      : `sie ist eine Aufzeichnung nach Schema ${found}, und diese Seite liest Schema ${wanted}; dafür braucht es ein neueres specviz`,
  unfit: (where, found, wanted) => `${where} ist ${found}; erwartet: ${wanted}`,
  missing: (where) => `${where} fehlt`,
  unknown: (where, name) => `${where} hat ein unbekanntes Feld, ${name}`,
  cut: (where, length, most) => `${where}, was über ${count(most)} von ${count(length)} Zeichen hinausgeht`,
  found: { list: (length) => `eine Liste, ${count(length)} lang`, object: 'ein Objekt', nothing: 'nicht da' },
  wanted: {
    object: 'ein Objekt',
    text: 'Text',
    flag: 'true oder false',
    name: 'ein einfacher Name',
    list: (most) => `eine Liste von höchstens ${count(most)}`,
    number: (low, high) => `eine Zahl von ${low} bis ${high}`,
    whole: (low, high) => `eine ganze Zahl von ${low} bis ${high}`,
    oneOf: (names) => `eines von ${names.join(', ')}`,
  },
  contradicts: (where, what) =>
    `${where} widerspricht sich: ${what}; python -m specviz check FILE nennt alles, was nicht stimmt`,
  wrong: {
    rounds: 'es gibt keine Runden zu zeigen',
    prompt: 'zu jedem Token des Prompts gehört ein Text, und es muss mindestens eines geben',
    tokens: (most) => `der Text ist länger als ${count(most)} Token`,
    place: 'Nummer und Position folgen nicht auf die Runde davor',
    tree: (node) => `Vorschlag ${node} hängt an keinem früheren`,
    path: 'der Pfad folgt nicht den angenommenen Vorschlägen',
    walk: (node) => `Vorschlag ${node} kann dort, wo er steht, nicht dieses Urteil haben`,
    numbers: (node) =>
      `Vorschlag ${node} fehlt eine Zahl, die über ihn entschied, oder er hat eine, die niemand zog`,
    placed: (node) => `Vorschlag ${node} steht nicht da, wohin seine Zahl fiel`,
    decided: (node) => `Vorschlag ${node} hat ein Urteil, das seine Zahlen nicht ergeben`,
    extra: 'das eigene Token des Zielmodells fehlt, oder es dürfte nicht da sein',
    emission: 'so kam das eigene Token des Zielmodells nicht zustande',
    drawn: 'das eigene Token des Zielmodells wurde aus nichts gezogen',
    cache: (name) =>
      `der Cache ${name === 'drafter' ? 'des Entwurfsmodells' : 'des Zielmodells'} kann diese Längen nicht haben`,
    times: 'die Zeiten sind nicht eine je Vorschlag und eine für den Durchlauf des Zielmodells',
    race: 'es gehört nicht zu diesem Lauf',
    twice: 'sein Token hat schon einen Balken',
    imagined: (node) => `hinter Vorschlag ${node} kann kein Zustand geschätzt sein`,
  },
};

export const methods = {
  label: 'Entwurfsmethoden',
  more: 'mehr',
  open: 'Weitere Entwurfsmethoden',
  chosen: (name) => `${name}; weitere Entwurfsmethoden`,
  families: {
    counts: ['Zählungen', 'wie oft ein Token folgte'],
    copies: ['Kopien', 'was hier schon einmal stand'],
    models: ['Modelle', 'ein kleineres oder billigeres Modell'],
    heads: ['Köpfe', 'kleine, am Zielmodell trainierte Teile'],
    target: ['Das Zielmodell selbst', 'schlägt sich selbst etwas vor'],
    cascades: ['Kaskaden', 'ein Entwurf für das Entwurfsmodell'],
    trees: ['Bäume', 'mehrere Fortsetzungen zugleich'],
    'no drafter': ['Ohne Entwurf', 'das Zielmodell schlägt sich selbst etwas vor'],
  },
  needs: ({ modelled, counted, asset, family }) =>
    modelled
      ? 'zweites Modell'
      : counted
        ? 'Zähltabelle'
        : asset
          ? 'Datei'
          : family === 'target'
            ? 'das Zielmodell'
            : 'braucht nichts',
  lacks: (asset) => `Läuft hier nicht: Diesem Paar fehlt ${asset}. Unter „Modelle“ ein anderes Paar wählen.`,
  shapes: { chain: 'eine Kette von Vorschlägen', tree: 'mehrere Fortsetzungen' },
  exact: '✓ alle exakt: Der Text ist verteilt wie der des Zielmodells',
  idle: 'ohne Wirkung',
  noLength: 'Bei diesen Vorschlägen gibt es keine Länge zu wählen, also bewirkt γ hier nichts.',
  alone: 'Bei Vorschlägen, die gewählt und nicht gezogen sind, ist das Rejection-Sampling, Zahl für Zahl.',
};

export const refusal = {
  labels: {
    gamma: 'γ',
    temperature: 'T',
    top_k: 'Top-k',
    top_p: 'Top-p',
    max_new_tokens: 'Länge',
    seed: 'Seed',
    nodes: 'Knoten',
  },
  temperature: '0 oder eine Zahl von 0.05 bis 2',
  top_p: 'eine Zahl über 0, höchstens 1',
  whole: (low, high) => `eine ganze Zahl von ${low} bis ${high}`,
  needs: (label, wanted) => `${label} braucht ${wanted}.`,
  line: (line) => `Nicht gestartet: ${served(line)}.`,
};

export const link = {
  long: 'Dieser Link ist zu lang für diese Seite; er wurde nicht gelesen.',
  version: (version) =>
    `Der Link stammt von einer anderen Version dieser Seite (${version}); verwendet wurde, was davon bekannt ist.`,
  ignored: (key) => `„${key}“ im Link bedeutet hier nichts.`,
  mended: (name, given, used) => `Der Link verlangt ${name} ${given}; verwendet wurde ${used}.`,
  unknown: (name, given) => `Der Link verlangt ${name} „${given}“; hier nicht vorhanden.`,
  names: {
    recorded: 'den aufgezeichneten Lauf',
    max_new_tokens: 'die Länge',
    seed: 'Seed',
    drafter: 'die Entwurfsmethode',
    rule: 'die Annahmeregel',
    gamma_rule: 'die γ-Regel',
  },
  otherPair: (pair) =>
    `Der Link wurde mit ${pair} gemacht. Unter „Modelle“ wählen, um denselben Lauf zu sehen.`,
  differs: (token) =>
    `Diese Maschine dekodiert anders als die, auf der der Link entstand: Ab Token ${token} weicht ihr Text ab.`,
  attached: 'Den angehängten Lauf zeigen',
  damaged: 'Der an diesen Link gehängte Lauf ist nicht lesbar.',
  attachment: 'an einen Link gehängt',
  nowhere: 'Die Stelle, zu der der Link führt, gibt es in diesem Lauf nicht.',
};

export const pair = {
  label: 'Modelle',
  embedded: 'eingebautes Paar',
  looking: 'es wird ermittelt, welche Paare auf dieser Maschine laufen',
  ready: 'im Speicher',
  waiting: (name) => `${name}: in der Warteschlange`,
  done: (name) => `${name} ist bereit`,
  cancel: 'Abbrechen',
  prompt: 'Sein Prompt',
  calledOff: (name, present) => `${name} wurde abgebrochen; ${present} bleibt`,
  failed: (reason, present) => `Nicht gewechselt: ${reason}. ${present} bleibt.`,
  unlisted: (reason) => `Die Modelle lassen sich nicht auflisten: ${reason}.`,
  broke: 'der Server gab keine Antwort',
  bar: (name) => `${name} wird geladen`,
  so: (done, total) => (total ? `${done} von ${total}` : done),
  left: (seconds) => `noch ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`,
};

export const lesson = {
  title: 'Für den Unterricht',
  opens: 'Der Link öffnet',
  asks: [
    ['', 'diese Stelle im Lauf'],
    ['one', 'Mitraten, jeder für sich'],
    ['room', 'Mitraten, mit Handzeichen'],
  ],
  hides: [
    ['settings', 'Einstellungen sperren'],
    ['tabs', 'Reiter ausblenden'],
    ['models', 'Namen der Modelle ausblenden'],
  ],
  address: 'Link für die Klasse',
  code: 'QR-Code des Links',
  copy: 'Link kopieren',
  byHand: 'Den Link von Hand kopieren.',
  long: 'Der Prompt ist zu lang für einen QR-Code; den Link kopieren.',
  print: 'Arbeitsblatt drucken',
  local:
    'Nur dieser Computer kann diese Adresse öffnen. Andere brauchen seine Netzwerkadresse und --host 0.0.0.0.',
  second: 'Zweiten Bildschirm öffnen',
  first: 'dem ersten Bildschirm',
};
