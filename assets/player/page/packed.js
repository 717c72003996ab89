/**
 * packed.js: text as gzip in base64url, for a link or a page that is one file, and back. Pure.
 * specviz/trace/standalone.py writes the same.
 */

/** The gzip of a Blob. */
export async function gzip(blob) {
  const stream = blob.stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function pack(text) {
  const bytes = await gzip(new Blob([text]));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of the text again, at most that many; null where it is none, or larger. */
export async function unpack(packed, most) {
  const parts = [];
  try {
    const base64 = packed.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    for (let size = 0, part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > most) return null;
      parts.push(part.value);
    }
  } catch {
    return null; // only decoding can throw in there
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
