/**
 * webp.js: still WebP pictures of one size as one that moves. Pure: bytes in, bytes out. The container is
 * RIFF: a header (VP8X), the loop (ANIM), and a frame (ANMF) for each still with that one's own picture in
 * it, compressed as it was.
 */

/** The chunks of a still that are its picture. */
const PICTURE = ['ALPH', 'VP8 ', 'VP8L'];
const MOVES = 0x02;
const SEES_THROUGH = 0x10;
/** A frame covers the one before. */
const COVERS = 0x02;

/**
 * frames: [{ bytes: a Uint8Array, one still WebP; ms: how long it stays }].
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function moving(frames, width, height) {
  const pictures = frames.map(({ bytes }) => chunksOf(bytes).filter(({ name }) => PICTURE.includes(name)));
  const clear = pictures.some((chunks) => chunks.some(({ name }) => name === 'ALPH'));
  const size = [...whole(width - 1, 3), ...whole(height - 1, 3)];
  const body = join([
    text('WEBP'),
    chunk('VP8X', Uint8Array.from([MOVES | (clear ? SEES_THROUGH : 0), 0, 0, 0, ...size])),
    chunk('ANIM', new Uint8Array(6)), // no background, for ever
    ...frames.map(({ ms }, at) =>
      chunk(
        'ANMF',
        join([
          Uint8Array.from([...whole(0, 6), ...size, ...whole(Math.round(ms), 3), COVERS]),
          ...pictures[at].map(({ name, data }) => chunk(name, data)),
        ]),
      ),
    ),
  ]);
  return join([text('RIFF'), Uint8Array.from(whole(body.length, 4)), body]);
}

/** The chunks of a RIFF file: [{ name, data }]. */
export function chunksOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

function chunk(name, data) {
  return join([text(name), Uint8Array.from(whole(data.length, 4)), data, new Uint8Array(data.length % 2)]);
}

/** A whole number in so many bytes, the least first. */
function whole(value, many) {
  return Array.from({ length: many }, (_, at) => Math.floor(value / 256 ** at) % 256);
}

function text(letters) {
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
