import { crc32, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { compressedFragment, joinedFragment, storedFragment } from './fragment.ts';

const joinedHalves = (html: string) => joinedFragment([compressedFragment(html.slice(0, 80)), storedFragment(html.slice(80))]);

for (const [name, make] of Object.entries({ compressedFragment, storedFragment, joinedHalves })) {
  t.test(`${name}: size covers the memory of a kept fragment`, async (t) => {
    const { text, piece, html, size } = make('<p>Épreuve d’œuvres</p>'.repeat(150));
    t.equal(text.toString(), html);
    t.equal(text.buffer.byteLength, text.length);
    t.equal(piece.deflated.buffer.byteLength, piece.deflated.length);
    // A string with characters beyond Latin-1 takes two bytes per character.
    t.ok(size >= 2 * html.length + text.length + piece.deflated.length);
    t.equal(inflateRawSync(Buffer.concat([piece.deflated, Buffer.from([3, 0])])).toString(), html);
  });
}

t.test('tags differ between texts, but not between encodings', async (t) => {
  t.equal(storedFragment('a').tag, compressedFragment('a').tag);
  t.equal(storedFragment('a').tag, crc32('a').toString(36));
  t.not(storedFragment('a').tag, storedFragment('b').tag);
});
