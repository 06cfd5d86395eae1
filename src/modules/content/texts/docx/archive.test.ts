import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { docx, htmlOf, imported, p, picture, r } from '../../../../../test/support/word-file.ts';

const file = await docx({
  body: p(r('Avant')) + p(picture('a')) + p(picture('b')) + p(r('Après')),
  images: { a: 'media/a.png', b: 'media/b.png' },
  files: { 'media/a.png': plainPng(20, 20), 'media/b.png': plainPng(30, 30) },
  title: 'Les suites',
});

/** Returns an archive whose directory says something else about a file. @param change gets the file's entry of 46 bytes and its name */
function changed(archive: Buffer, name: string, change: (entry: Buffer) => void): Buffer {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf('PK\x01\x02'); at !== -1; at = copy.indexOf('PK\x01\x02', at + 1))
    if (copy.toString('utf8', at + 46, at + 46 + copy.readUInt16LE(at + 28)) === name) change(copy.subarray(at));
  return copy;
}

t.test('a damaged file that can still be unpacked is refused; a damaged picture is named, and all else is kept', async (t) => {
  t.same((await imported(file)).remarques, []);
  const spoilt = (name: string) => changed(file, name, (entry) => entry.writeUInt32LE(entry.readUInt32LE(16) ^ 1, 16));
  const { contenu, remarques } = await imported(spoilt('word/media/a.png'));
  t.match(remarques, [/^1 image abîmée ou trop lourde/]);
  t.match(htmlOf(contenu), /^<p>Avant<\/p>.*<img src="\/media\/a\.webp".*<p>Après<\/p>$/s);
  await t.rejects(imported(spoilt('word/document.xml')), { status: 400, message: /illisible/ });
});

t.test('an archive with two files of the same name is refused', async (t) => {
  const twice = changed(file, 'docProps/core.xml', (entry) => entry.write('word/document.xml', 46));
  await t.rejects(imported(twice), { status: 400, message: /illisible/ });
});

t.test('a picture that claims 60 MB is read, one that claims a byte more is named', async (t) => {
  const claiming = (size: number) => changed(file, 'word/media/a.png', (entry) => entry.writeUInt32LE(size, 24));
  const most = 60 * 1024 * 1024;
  t.same((await imported(claiming(most))).remarques, []);
  t.match((await imported(claiming(most + 1))).remarques, [/^1 image abîmée ou trop lourde \(60 Mo au plus/]);
});
