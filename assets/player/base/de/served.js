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

  'built-in demo pair': 'eingebautes Paar',
  '# and # parameters, ships with specviz': '# und # Parameter, liegt specviz bei',
  'loading the models; a first run compiles for about ten seconds':
    'die Modelle werden geladen; ein erster Lauf kompiliert etwa zehn Sekunden lang',
  'measuring: 4 runs each, alternating with plain decoding':
    'es wird gemessen: je 4 Läufe, im Wechsel mit einfachem Dekodieren',
  'only a finished run can be measured': 'nur ein fertiger Lauf lässt sich messen',
  'this run is no longer kept on the server': 'der Server hat diesen Lauf nicht mehr',
  'one run of yours is already waiting; let it finish, or stop it':
    'ein eigener Lauf wartet schon; warten, bis er fertig ist, oder ihn stoppen',
  '# runs are already waiting, the most allowed; play this one meanwhile, and try again in a minute':
    '# Läufe warten schon, mehr sind nicht erlaubt; inzwischen diesen abspielen und es in einer Minute erneut versuchen',
  'the prompt is empty; write at least one character':
    'der Prompt ist leer; mindestens ein Zeichen schreiben',
  'the prompt has # characters; at most # are allowed': 'der Prompt hat # Zeichen; erlaubt sind höchstens #',
  'the prompt has # tokens; wanted 1 to #': 'der Prompt hat # Token; erlaubt sind 1 bis #',
  'the prompt holds a lone surrogate, which is not text; remove it':
    'der Prompt enthält ein einzelnes Surrogat, das ist kein Text; entfernen',
  "the prompt has token #, #, but #'s target knows #; leave that out, or choose another pair":
    'der Prompt hat Token #, #, aber das Zielmodell von # kennt nur #; weglassen oder ein anderes Paar wählen',
  'the prompt, # characters, did not fit into memory beside the models; a shorter one, or a smaller pair under Models, takes less':
    'der Prompt, # Zeichen, passte neben den Modellen nicht in den Speicher; ein kürzerer oder ein kleineres Paar unter „Modelle“ braucht weniger',
  'it did not fit into memory; a smaller tree, or a smaller γ, takes less':
    'es passte nicht in den Speicher; ein kleinerer Baum oder ein kleineres γ braucht weniger',
  '# guesses did not fit into memory': '# Vorschläge passten nicht in den Speicher',
  "the models could not be made ready; the server's log says why":
    'die Modelle ließen sich nicht bereitmachen; Näheres im Protokoll des Servers',
  '# requests from your network are already waiting, the most allowed; try again when some are done':
    '# Anfragen aus diesem Netz warten schon, mehr sind nicht erlaubt; erneut versuchen, wenn einige fertig sind',
  'too many of your questions are already waiting; let them be answered first':
    'zu viele eigene Fragen warten schon; erst die Antworten abwarten',
  '0, or shared noise (the rule coupled): elsewhere the guesses of # never come to rest':
    '0 oder gemeinsames Rauschen (die Regel coupled): Sonst kommen die Vorschläge von # nie zur Ruhe',
  'the pairs could not be listed': 'die Paare ließen sich nicht auflisten',
  '# is not in memory; choose it under Models, and run once it is ready':
    '# ist nicht im Speicher; unter „Modelle“ wählen und starten, sobald es bereit ist',
  '# needs about # on #, which has # free; choose a smaller pair, another device or dtype':
    '# braucht etwa # auf #, frei sind dort #; ein kleineres Paar, ein anderes Gerät oder einen anderen dtype wählen',
  'needs about # on #, which has # free': 'braucht etwa # auf #, frei sind dort #',
  "# of memory, # and #; suits a laptop's CPU": '# Speicher, # und #; geeignet für die CPU eines Laptops',
  "# of memory, #; suits a laptop's CPU": '# Speicher, #; geeignet für die CPU eines Laptops',
  "# of memory, #; suits a desktop's CPU, any GPU": '# Speicher, #; geeignet für die CPU eines PCs, jede GPU',
  '# of memory, #; suits a GPU of 24 GB': '# Speicher, #; geeignet für eine GPU mit 24 GB',
  '# of memory, #; suits a GPU of 24 GB, ZeroGPU; with heads for # and #':
    '# Speicher, #; geeignet für eine GPU mit 24 GB, ZeroGPU; mit Köpfen für # und #',
  'your own, with a head for #': 'das eigene, mit einem Kopf für #',
  'your own': 'das eigene',
  'looking at both models': 'beide Modelle werden geprüft',
  'reading the weights': 'die Gewichte werden gelesen',
  'compiling the forward pass for this processor, once':
    'der Durchlauf wird einmal für diesen Prozessor kompiliert',
  'fetching #': '# wird geholt',
  'this pair has no #; choose another drafter': 'diesem Paar fehlt: #; eine andere Entwurfsmethode wählen',
  'no # were trained on this target; choose another drafter':
    'für dieses Zielmodell fehlt: #; eine andere Entwurfsmethode wählen',
  'this machine decodes the run differently, so it cannot be timed as it was recorded':
    'diese Maschine dekodiert den Lauf anders, also lässt er sich nicht so messen, wie er aufgezeichnet ist',
  'the run took # s, too long to repeat # times here; ask for fewer tokens':
    'der Lauf dauerte # s, zu lang für # Wiederholungen hier; weniger Token verlangen',
  'stopped after # s, as others are waiting for the models; ask for fewer runs, or fewer tokens':
    'nach # s gestoppt, weil andere auf die Modelle warten; weniger Läufe oder weniger Token verlangen',
  '# of # samples in # s; ask for fewer samples, or for another token':
    '# von # Ziehungen in # s; weniger Ziehungen oder ein anderes Token verlangen',
  '# is #; wanted one of #': '# ist #; möglich ist eines von #',
  '# is #; wanted a whole number from # to #': '# ist #; möglich ist eine ganze Zahl von # bis #',
  '# is #; wanted a whole number': '# ist #; möglich ist eine ganze Zahl',
  '# is #; wanted a number': '# ist #; möglich ist eine Zahl',
  '# is #; wanted # to #': '# ist #; möglich ist # bis #',
});
