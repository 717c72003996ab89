/**
 * served.js: German for what comes from the server in English and is said often; the rest stays as it
 * comes. Pure.
 */

import { phrases } from '../phrases.js';

export const served = phrases({
  'llama, # layers, #': 'llama, # Schichten, #',

  'always #': 'immer #',
  'its drafts have no γ': 'seine Vorschläge haben kein γ',
  "# left of the text's length": '# von der Länge des Textes übrig',
  'to begin with': 'zu Beginn',
  'warming up': 'wärmt sich auf',
  'looked at every # rounds': 'wird alle # Runden angesehen',
  'nothing was drafted, so nothing was learnt': 'nichts wurde vorgeschlagen, also nichts gelernt',
  'up to #, while q of the guess is at least #': 'bis zu #, solange q des Vorschlags mindestens # ist',
  'up to #, while a rejection is at most # likely':
    'bis zu #, solange eine Ablehnung höchstens # wahrscheinlich ist',
  'up to #, while 1 - sqrt(# H) is at least #': 'bis zu #, solange 1 - sqrt(# H) mindestens # ist',
  'q = # is below #: the last guess of the round': 'q = # liegt unter #: der letzte Vorschlag der Runde',
  'a rejection among # is # likely, more than #': 'eine Ablehnung unter # ist # wahrscheinlich, mehr als #',
  'H = # nats: 1 - sqrt(# H) = # is below #': 'H = # nats: 1 - sqrt(# H) = # liegt unter #',
  '# accepted, more than #: one more': '# angenommen, mehr als #: einer mehr',
  '# accepted, less than #: one less': '# angenommen, weniger als #: einer weniger',
  "# accepted and q's entropy # nats, below #: one more":
    '# angenommen und Entropie von q # nats, unter #: einer mehr',
  "# accepted, q's entropy # nats: as before": '# angenommen, Entropie von q # nats: wie bisher',
  '# of # accepted: # less': '# von # angenommen: # weniger',
  'α = # so far promises #× here': 'das bisherige α = # verspricht hier #×',
  'all # accepted: # more': 'alle # angenommen: # mehr',
  'average # above #: one more': 'Mittel # über #: einer mehr',
  'average # below #: one less': 'Mittel # unter #: einer weniger',
  'average # between # and #: as before': 'Mittel # zwischen # und #: wie zuvor',
  'a block has # places': 'ein Block hat # Plätze',
  'a block has # blanks': 'ein Block hat # Lücken',
  'there are # heads': 'es gibt # Köpfe',
  'the target has read nothing yet': 'das Zielmodell hat noch nichts gelesen',
  "the draft model's context ends here": 'der Kontext des Entwurfsmodells endet hier',

  '1 token of context, seen # times, # in this text': '1 Token Kontext, #-mal gesehen, #-mal in diesem Text',
  '# tokens of context, seen # times, # in this text': '# Token Kontext, #-mal gesehen, #-mal in diesem Text',
  '1 token of context, seen # times': '1 Token Kontext, #-mal gesehen',
  'the last # tokens stood here before': 'die letzten # Token standen hier schon einmal',
  'the last token stood here before': 'das letzte Token stand hier schon einmal',
  "the target's answer here, after # passes": 'die Antwort des Zielmodells hier, nach # Durchläufen',
  "the target's answer here, after 1 pass": 'die Antwort des Zielmodells hier, nach 1 Durchlauf',
  'any token: the target said nothing here yet': 'irgendein Token: Das Zielmodell sagte hier noch nichts',
  'came up in the prompt; one of # groups in the pool': 'kam im Prompt vor; eine von # Gruppen im Vorrat',
  'came up in the last pass; one of # groups in the pool':
    'tauchte im letzten Durchlauf auf; eine von # Gruppen im Vorrat',
  'came up # passes ago; one of # groups in the pool':
    'tauchte vor # Durchläufen auf; eine von # Gruppen im Vorrat',
  "Head # of # read it off the target's last state.":
    'Kopf # von # las es aus dem letzten Zustand des Zielmodells.',
  "Head # of # read it off the target's last state and the guesses before.":
    'Kopf # von # las es aus dem letzten Zustand des Zielmodells und den Vorschlägen davor.',
  'Blank # of #, filled in one pass with the others.':
    'Lücke # von #, in einem Durchlauf mit den anderen gefüllt.',
  'Read off a state imagined behind an imagined one.':
    'Aus einem Zustand gelesen, der selbst hinter einem geschätzten geschätzt wurde.',
  'Read off the state imagined next.': 'Aus dem geschätzten nächsten Zustand gelesen.',
  'Read off behind layer #; the check goes on from there.':
    'Hinter Schicht # gelesen; die Prüfung macht dort weiter.',
  'after 1 update': 'nach 1 Anpassung',
  'after # updates': 'nach # Anpassungen',
  'as it began: 1 update would not help': 'wie zu Beginn: 1 Anpassung würde nicht helfen',
  'as it began: # updates would not help': 'wie zu Beginn: # Anpassungen würden nicht helfen',
  "the target's choice # after this token, in the prompt":
    'Wahl # des Zielmodells nach diesem Token, im Prompt',
  "the target's choice # after this token, # round ago":
    'Wahl # des Zielmodells nach diesem Token, vor # Runde',
  "the target's choice # after this token, # rounds ago":
    'Wahl # des Zielmodells nach diesem Token, vor # Runden',
  "the target's choice # after this token, # round ago, as a guess not accepted":
    'Wahl # des Zielmodells nach diesem Token, vor # Runde, als Vorschlag, der nicht angenommen wurde',
  "the target's choice # after this token, # rounds ago, as a guess not accepted":
    'Wahl # des Zielmodells nach diesem Token, vor # Runden, als Vorschlag, der nicht angenommen wurde',
  '# of # places go on so, as in #: \u201c#\u201d':
    '# von # Stellen gehen so weiter, wie in #: \u201e#\u201c',
  "the small model's own token": 'das eigene Token des kleinen Modells',
  '# tokens matched; this followed # of # times; # of the draft expected to stand':
    '# Token stimmten überein; das folgte #-mal von #; # des Entwurfs bleiben voraussichtlich',
  '# token matched; this followed # of # times; # of the draft expected to stand':
    '# Token stimmte überein; das folgte #-mal von #; # des Entwurfs bleiben voraussichtlich',
});
