/**
 * bunzip.js: the bytes of a bzip2 file. Pure. A saved page unpacks its player by it, as trace/standalone.py packs it:
 * it takes a fifth less than gzip, which browsers unpack by themselves. Its sums are not checked; the page's policy
 * knows the player by its hash.
 */

const BLOCK = 0x314159;
/** Symbols that one Huffman table is chosen for. */
const GROUP = 50;
/** Letters of a block, at most. */
const MOST = 900_000;

function broken() {
  throw new RangeError('no whole bzip2 file');
}

/** @param {Uint8Array} bytes */
export function bunzip(bytes) {
  let at = 32; // in bits, behind the letters BZh9
  const text = [];

  function bit() {
    if (at >= bytes.length * 8) broken();
    const value = (bytes[at >> 3] >> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  }

  function bits(count) {
    let value = 0;
    for (let left = count; left > 0; left -= 1) value = (value << 1) | bit();
    return value;
  }

  /** A canonical Huffman code: how many codes have each length, and the symbols in the order of their codes. */
  function code(symbols) {
    let length = bits(5);
    const lengths = Array.from({ length: symbols }, () => {
      while (bit()) length += bit() ? -1 : 1;
      return length;
    });
    const counts = Array.from({ length: 21 }, (_, each) => lengths.filter((own) => own === each).length);
    return { counts, symbols: [...lengths.keys()].sort((a, b) => lengths[a] - lengths[b] || a - b) };
  }

  function symbol({ counts, symbols }) {
    let value = 0;
    let first = 0;
    for (let length = 1, before = 0; length < counts.length; length += 1) {
      value = (value << 1) | bit();
      first <<= 1;
      if (value < first + counts[length]) return symbols[before + value - first];
      before += counts[length];
      first += counts[length];
    }
    return broken();
  }

  /** The letters of a block as the Burrows-Wheeler transform left them. */
  function letters() {
    const sixteen = () => Array.from({ length: 16 }, bit);
    const used = sixteen().flatMap((some) => (some ? sixteen() : Array(16).fill(0)));
    const recent = Uint8Array.from([...used.keys()].filter((letter) => used[letter]));
    const end = recent.length + 1;
    const tables = [...Array(bits(3)).keys()];
    const chosen = Array.from({ length: bits(15) }, () => {
      let place = 0;
      while (bit()) place += 1;
      tables.unshift(...tables.splice(place, 1));
      return tables[0];
    });
    const codes = tables.map(() => code(end + 1));
    const list = [];
    let weight = 1;
    for (let count = 0; ; count += 1) {
      const next = symbol(codes[chosen[Math.floor(count / GROUP)]]);
      if (next > 1) {
        if (next === end) return list;
        const letter = recent[next - 1];
        recent.copyWithin(1, 0, next - 1);
        recent[0] = letter;
        list.push(letter);
        weight = 1;
      } else {
        if (weight > MOST) broken();
        // Runs of the letter before are numbers in base 2 with the digits 1 and 2.
        for (let left = weight << next; left > 0; left -= 1) list.push(recent[0]);
        weight <<= 1;
      }
    }
  }

  /** The text of a block: the transform undone, and a count of repeats behind each four equal letters. */
  function block() {
    at += 24 + 32 + 1; // the rest of the mark, the sum, and a flag of old versions
    let place = bits(24);
    const sorted = letters();
    const starts = Array(256).fill(0);
    for (const letter of sorted) starts[letter] += 1;
    for (let letter = 0, sum = 0; letter < 256; letter += 1)
      [starts[letter], sum] = [sum, sum + starts[letter]];
    const next = new Uint32Array(sorted.length);
    for (let index = 0; index < sorted.length; index += 1) next[starts[sorted[index]]++] = index;
    for (let count = 0, equal = 0, before = -1; count < sorted.length; count += 1) {
      place = next[place];
      const letter = sorted[place];
      if (equal === 4) {
        for (let left = letter; left > 0; left -= 1) text.push(before);
        [equal, before] = [0, -1];
      } else {
        equal = letter === before ? equal + 1 : 1;
        before = letter;
        text.push(letter);
      }
    }
  }

  while (bits(24) === BLOCK) block();
  return new Uint8Array(text);
}
