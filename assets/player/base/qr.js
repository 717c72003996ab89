/**
 * qr.js: a text as a QR code, bytes at error correction level L, after ISO/IEC 18004:2015. Pure.
 */

/** For each version from 1 on: error correction bytes of a block, and blocks. Table 9, level L. */
const CORRECTION = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
  30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
];
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18,
  19, 19, 20, 21, 22, 24, 25,
];
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];
/** Bits of level L in the format. */
const LEVEL = 1;

/**
 * The code of a text, rows of 0 and 1, 1 being dark; null where it is too long for one. mask: one of eight,
 * the best where none is given.
 */
export function qr(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  const version =
    CORRECTION.findIndex((_, index) => bytes.length + (index < 9 ? 2 : 3) <= room(index + 1)) + 1;
  if (!version) return null;
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => new Array(size).fill(null));
  drawFixed(rows, version);
  const fixed = rows.map((row) => row.map((cell) => cell !== null));
  drawBits(rows, interleaved(packed(bytes, version), version));
  const masked = (which) =>
    drawFormat(
      rows.map((row, y) =>
        row.map((cell, x) => (fixed[y][x] ? cell : cell ^ (MASKS[which](x, y) === 0 ? 1 : 0))),
      ),
      which,
    );
  if (mask !== null) return masked(mask);
  return MASKS.map((_, which) => masked(which)).reduce((best, candidate) =>
    penalty(candidate) < penalty(best) ? candidate : best,
  );
}

/** Bytes of all data blocks of a version. */
function room(version) {
  return Math.floor(bitsOf(version) / 8) - CORRECTION[version - 1] * BLOCKS[version - 1];
}

/** Modules that hold data or its correction. */
function bitsOf(version) {
  let bits = (16 * version + 128) * version + 64;
  if (version > 1) {
    const many = Math.floor(version / 7) + 2;
    bits -= (25 * many - 10) * many - 55;
    if (version > 6) bits -= 36;
  }
  return bits;
}

/** The data bytes: mode, length, text, and what fills them up. */
function packed(bytes, version) {
  const bits = [];
  const put = (value, many) => {
    for (let at = many - 1; at >= 0; at -= 1) bits.push((value >>> at) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  const whole = 8 * room(version);
  put(0, Math.min(4, whole - bits.length));
  put(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < whole; pad ^= 0xec ^ 0x11) put(pad, 8);
  return Array.from({ length: whole / 8 }, (_, at) => parseInt(bits.slice(8 * at, 8 * at + 8).join(''), 2));
}

/** Data and correction of all blocks, byte by byte in turns. */
function interleaved(data, version) {
  const [many, correction] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const short = Math.floor(data.length / many);
  const longer = data.length % many;
  const divisor = divisorOf(correction);
  let from = 0;
  const blocks = Array.from({ length: many }, (_, at) =>
    data.slice(from, (from += short + (at >= many - longer ? 1 : 0))),
  );
  const checks = blocks.map((block) => remainder(block, divisor));
  const inTurns = (lists, length) =>
    Array.from({ length }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at]] : []))).flat();
  return [...inTurns(blocks, short + 1), ...inTurns(checks, correction)];
}

/** A product in the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1)
    product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((other >>> bit) & 1) * one);
  return product;
}

function divisorOf(degree) {
  const divisor = new Array(degree).fill(0);
  divisor[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
    root = times(root, 2);
  }
  return divisor;
}

function remainder(block, divisor) {
  const rest = divisor.map(() => 0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((value, at) => {
      rest[at] ^= times(value, factor);
    });
  }
  return rest;
}

/** Finders, timing, alignment, version, and room for the format. */
function drawFixed(rows, version) {
  const size = rows.length;
  for (let at = 0; at < size; at += 1) rows[6][at] = rows[at][6] = (at + 1) % 2;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    drawRings(rows, x, y, 4);
  const places = alignments(version);
  const corner = (x, y) => (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
  for (const x of places) for (const y of places) if (!corner(x, y)) drawRings(rows, x, y, 2);
  drawFormat(rows, 0);
  if (version < 7) return;
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let bit = 0; bit < 18; bit += 1) {
    const [x, y] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    rows[y][x] = rows[x][y] = (bits >>> bit) & 1;
  }
}

/** Square rings around a module, as far as they lie in the code. */
function drawRings(rows, x, y, reach) {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      if (rows[y + dy]?.[x + dx] !== undefined)
        rows[y + dy][x + dx] = reach === 4 ? Number(ring !== 2 && ring !== 4) : Number(ring !== 1);
    }
  }
}

function alignments(version) {
  if (version === 1) return [];
  const many = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / (2 * many - 2)) * 2;
  return [6, ...Array.from({ length: many - 1 }, (_, at) => 4 * version + 10 - step * at).reverse()];
}

/** Writes level and mask, twice. */
function drawFormat(rows, mask) {
  const size = rows.length;
  const data = (LEVEL << 3) | mask;
  let rest = data;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = (bits >>> bit) & 1;
    const along = bit < 6 ? bit : bit < 8 ? bit + 1 : 14 - bit;
    if (bit < 8) rows[along][8] = dark;
    else rows[8][bit === 8 ? 7 : along] = dark;
    if (bit < 8) rows[8][size - 1 - bit] = dark;
    else rows[size - 15 + bit][8] = dark;
  }
  rows[size - 8][8] = 1;
  return rows;
}

/** Writes the data upwards and downwards in columns of two, from the right. */
function drawBits(rows, bytes) {
  const size = rows.length;
  let [bit, upwards] = [0, true];
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, upwards = !upwards) {
    for (let step = 0; step < size; step += 1) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== null) continue;
        rows[y][x] = bit < 8 * bytes.length ? (bytes[bit >>> 3] >>> (7 - (bit & 7))) & 1 : 0;
        bit += 1;
      }
    }
  }
}

/**
 * How hard a code is to read: long runs, blocks, what looks like a finder, and more dark than light.
 * Section 7.8.3.
 */
function penalty(rows) {
  const size = rows.length;
  const lines = [...rows, ...rows.map((_, x) => rows.map((row) => row[x]))].map((line) => line.join(''));
  let points = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    for (const finder of ['10111010000', '00001011101'])
      for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) points += 40;
  }
  for (let y = 1; y < size; y += 1)
    for (let x = 1; x < size; x += 1)
      points += new Set([rows[y][x], rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]).size === 1 ? 3 : 0;
  const dark = rows.flat().reduce((sum, cell) => sum + cell, 0) / (size * size);
  return points + 10 * Math.floor(Math.abs(20 * dark - 10));
}
