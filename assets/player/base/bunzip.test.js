import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bunzip } from './bunzip.js';

/** As Python's bz2 packs them, in base64. */
const PACKED = [
  ['nothing', '', 'QlpoORdyRThQkAAAAAA='],
  [
    'repeats, as a count behind four equal letters',
    `aaaabbbbb${'c'.repeat(300)}ddda`,
    'QlpoOTFBWSZTWcxw+W4AAANRAOAAACA8AAAIIAAxDAgZNNMmvkBNLZsR4VeLuSKcKEhmOHy3AA==',
  ],
  [
    'three blocks, of 900,000 letters at most',
    'saved page '.repeat(180_000),
    'QlpoOTFBWSZTWRHeeTYFni2RgEAAJoBJACAAkCGBAmqp6jNTKigFe1FAK5UUArqigFYooBXaigFaooBW1FAK2ooBW+VFAKxR' +
      'QCvzFBWSZTWeX8ndYAn8wRgEAAJoBJACAAkCGBAmqppjTVRQCv1FAK4ooBXaigFaqKAV1RQCsqKAViigFYqKAV9UUArxigrJ' +
      'MprOJjvPCAH/eIwCAAE0AkgBAAOCGBAmqk9R6TMCAOQgDz4IA0IAwIA0IA6EAdCANggDgQB+LuSKcKEgkI9NKA==',
  ],
];

for (const [what, text, packed] of PACKED)
  test(`what Python packed as bzip2 comes back: ${what}`, () => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    assert.ok(new TextDecoder().decode(bunzip(bytes)) === text);
  });

test('bytes that are no bzip2 end in an error', () => {
  const bytes = Uint8Array.from(atob(PACKED[1][2]), (letter) => letter.charCodeAt(0));
  assert.throws(() => bunzip(bytes.slice(0, 40)), RangeError);
});
