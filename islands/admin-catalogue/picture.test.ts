import t from 'tap';
import { pngSignature } from '../../test/support/hostile-images.ts';
import { picture } from '../../test/support/multipart.ts';
import { pictureFault } from './picture.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const file = (...parts: Buffer[]) => new Blob(parts.map((part) => new Uint8Array(part)));
const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024);

t.test('a picture is checked by its bytes and its size, not by its name', async (t) => {
  t.equal(await pictureFault(file(await picture())), null);
  t.equal(await pictureFault(file(jpeg)), null);
  for (const bytes of ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'RIFF....WEBP', '\u0089PN'])
    t.equal(await pictureFault(file(Buffer.from(bytes))), "L'image doit être au format JPG ou PNG.", bytes);
});

t.test('2 MB are accepted, one byte more is not', async (t) => {
  const rest = mebibytes(2).subarray(pngSignature.length);
  t.equal(await pictureFault(file(pngSignature, rest)), null);
  t.equal(await pictureFault(file(pngSignature, rest, Buffer.alloc(1))), "L'image dépasse 2 Mo.");
});

t.test('a file deleted after it was chosen is reported as unreadable', async (t) => {
  const gone = Object.assign(file(jpeg), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }),
  });
  t.equal(await pictureFault(gone as unknown as Blob), "L'image est illisible.");
});
