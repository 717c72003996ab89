/**
 * draw-result.js: the result of a run: its whole text, what came of its guesses, and where to go from here. The two
 * clocks stand between them.
 */

import { el, set, write } from '../../base/dom.js';
import { drawText, textParts } from './draw-text.js';

/** { outcome, text, facts }. */
export function resultParts() {
  const text = textParts();
  const facts = el('p', { 'data-sv': 'facts' });
  return { outcome: el('section', { 'data-sv': 'outcome' }, text.node), text, facts };
}

/** Draws a scene's result; anything else hides it. */
export function drawResult(parts, { result, ribbon }) {
  set(parts.outcome, { hidden: !result });
  set(parts.facts, { hidden: !result?.facts });
  if (!result) return;
  drawText(parts.text, result.text, ribbon.end);
  write(parts.facts, result.facts);
}
