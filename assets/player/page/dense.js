/**
 * dense.js: bytes as text of a page that is one file, in base 85, a sixteenth shorter than base64.
 * specviz/trace/standalone.py writes and reads the same. Pure.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;.=>?@^_`{|}~';

export function toDense(bytes) {
  const whole = new Uint8Array(4 * Math.ceil(bytes.length / 4));
  whole.set(bytes);
  const words = new DataView(whole.buffer);
  const letters = [];
  for (let at = 0; at < whole.length; at += 4) {
    const value = words.getUint32(at);
    letters.push(...[52200625, 614125, 7225, 85, 1].map((power) => DIGITS[Math.floor(value / power) % 85]));
  }
  return letters.join('').slice(0, Math.ceil((5 * bytes.length) / 4));
}

export function fromDense(text) {
  const whole = text.padEnd(5 * Math.ceil(text.length / 5), '~');
  const words = new DataView(new ArrayBuffer((4 * whole.length) / 5));
  for (let at = 0; at < whole.length; at += 5) {
    let value = 0;
    for (const letter of whole.slice(at, at + 5)) value = 85 * value + DIGITS.indexOf(letter);
    words.setUint32((4 * at) / 5, value);
  }
  return new Uint8Array(words.buffer, 0, Math.floor((4 * text.length) / 5));
}
