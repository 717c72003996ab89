/**
 * words.js: the page in German: the tables of base, trace, page and stage, in the same shape; tabs/de has
 * the rest. Pure. Numbers keep the decimal point, as in the formulas beside them. Nobody is addressed;
 * buttons and hints are infinitives.
 * guess Vorschlag · draft model Entwurfsmodell · target Zielmodell · big, small model großes, kleines
 * Modell · pass Durchlauf · accept annehmen · reject ablehnen · drop verwerfen · replacement Ersatz · bonus
 * Bonus · what is left of p Rest von p · roll back kürzen · entry Eintrag · overlap Überlappung ·
 * distribution Verteilung · plain decoding einfaches Dekodieren · shared noise gemeinsames Rauschen · lossy
 * verlustbehaftet · speed-up Beschleunigung · branch Zweig · level Ebene · lane Spur · run Lauf · round
 * Runde · draw ziehen · sample Ziehung · acceptance Annahme. Names of methods and parameters stay as they
 * are.
 */

import * as guide from './guide.js';
import { heads } from './heads.js';
import { quiz, sheet, tour } from './quiz.js';
import * as run from './run.js';
import * as say from './say.js';
import * as stage from './stage.js';

export const words = { ...stage, ...run, ...guide, ...say, quiz, sheet, tour, heads };
