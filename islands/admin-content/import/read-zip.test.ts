import { crc32, deflateRawSync } from 'node:zlib';
import t from 'tap';
import { readZip } from './read-zip.ts';

/** Returns an archive with these files. @param change what the central directory claims about each, or about one of them, instead of the truth */
function zip(
  files: Record<string, string>,
  change: { size?: number; flags?: number; method?: number; crc?: number; only?: string; encoding?: BufferEncoding } = {},
): File {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [title, data] = [Buffer.from(name, change.encoding), deflateRawSync(content)];
    const claimed = change.only === undefined || change.only === name ? change : {};
    const size = claimed.size ?? Buffer.byteLength(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(title.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(claimed.flags ?? 0, 8);
    central.writeUInt16LE(claimed.method ?? 8, 10);
    central.writeUInt32LE(claimed.crc ?? crc32(content), 16);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(title.length, 28);
    central.writeUInt32LE(offset, 42);
    parts.push(local, title, data);
    directory.push(central, title);
    offset += local.length + title.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return new File([Buffer.concat([...parts, ...directory, end])], 'cours.zip');
}

const read = async (archive: File) =>
  Promise.all(((await readZip(archive)) ?? []).map(async ({ file, fault }) => [file.name, fault ?? (await file.text())]));
const namesIn = async (...paths: string[]) =>
  (await read(zip(Object.fromEntries(paths.map((path) => [path, 'Texte'])), { encoding: 'utf8' }))).map(([name]) => name);

t.test('files of an archive, without folders and what macOS adds', async (t) => {
  const files = await read(
    zip({ 'Cours/': '', 'Cours/Leçon 1.md': '# Un', '__MACOSX/._Leçon 1.md': 'x', '.DS_Store': 'x', 'b.md': 'Deux' }),
  );
  t.same(files, [
    ['Leçon 1.md', '# Un'],
    ['b.md', 'Deux'],
  ]);
});

t.test('what is no archive, or is cut off, is refused', async (t) => {
  t.equal(await readZip(new File(['pas une archive'], 'a.zip')), null);
  t.equal(await readZip(new File([], 'a.zip')), null);
  const whole = Buffer.from(await zip({ 'a.md': 'Texte assez long pour être coupé' }).arrayBuffer());
  for (let length = 0; length < whole.length; length += 1)
    t.equal(await readZip(new File([whole.subarray(0, length)], 'a.zip')), null, `${length}`);
});

t.test('pages bring their pictures; what belongs to pages only is no file of its own', async (t) => {
  const page =
    '<!DOCTYPE html><meta charset="utf-8"><p>Été <img alt="" src="La%20pile_files/a.png"><img src="https://exemple.cm/b.png"></p>';
  const files = await read(
    zip({ 'Cours/La pile.html': page, 'Cours/La pile_files/a.png': 'PNG', 'Cours/La pile_files/style.css': 'p {}', 'b.md': 'Deux' }),
  );
  t.same(files, [
    ['La pile.html', page.replace('La%20pile_files/a.png', 'data:image/png;base64,UE5H')],
    ['b.md', 'Deux'],
  ]);
  t.same(await namesIn('a.md', 'photo.png'), ['a.md', 'photo.png'], 'without a page, each file is named');
});

t.test('a file that cannot be unpacked is refused with its reason; the others are read', async (t) => {
  const cases = [
    [{ flags: 1 }, 'Ce fichier est protégé par un mot de passe.'],
    [{ size: 10 }, "Ce fichier est abîmé dans l'archive."],
    [{ size: 2_000 }, "Ce fichier est abîmé dans l'archive."],
    [{ crc: 1 }, "Ce fichier est abîmé dans l'archive."],
    [{ method: 12 }, "Ce fichier est abîmé dans l'archive."],
    [{ size: 11 * 1024 * 1024 }, 'Ce fichier dépasse 10 Mo.'],
    [{ size: 300 * 1024 * 1024 }, 'Ce fichier dépasse 10 Mo.'],
  ] as const;
  for (const [change, reason] of cases) {
    const files = { 'A/a.md': 'x'.repeat(1_000), 'A/b.md': 'Deux' };
    t.same(
      await read(zip(files, { ...change, only: 'A/a.md' })),
      [
        ['b.md', 'Deux'],
        ['a.md', reason],
      ],
      JSON.stringify(change),
    );
  }
});

t.test('files of the same name in several folders are named with their folders', async (t) => {
  t.same(await namesIn('Maths/Chapitre 1/1 cours.md', 'Maths/Chapitre 1/2 exercices.md', 'Maths/Chapitre 2/1 cours.md', 'Maths/Plan.md'), [
    'Chapitre 1 - 1 cours.md',
    'Chapitre 1 - 2 exercices.md',
    'Chapitre 2 - 1 cours.md',
    'Plan.md',
  ]);
  t.same(await namesIn('A/B.x/a.md', 'A - B.x/a.md', 'A - B.x - a.md'), ['A - B.x - a.md', 'A - B.x - a (2).md', 'A - B.x - a (3).md']);
  t.same(await namesIn('A/Exo/1.tex', 'A/1.tex'), ['Exo - 1.tex', '1.tex']);
  t.same(await namesIn('A/1 cours.md', 'B/2 cours.md'), ['1 cours.md', '2 cours.md'], 'names that differ stay');
});

t.test('names that Windows wrote in its French code page are read', async (t) => {
  const files = await read(zip({ "Le\x87on d'\x82t\x82 \x85 No\x89l \xf8.md": 'Un' }, { encoding: 'latin1' }));
  t.same(files, [["Leçon d'été à Noël °.md", 'Un']]);
});

t.test('a picture shown many times is in its page once; a page whose pictures are too large fails alone', async (t) => {
  const many = await readZip(
    zip({ 'a.html': '<html><img src="p.png"><img src="./p.png?1">'.padEnd(200_000, '<img src=p.png>'), 'p.png': 'PNG' }),
  );
  t.equal((await many?.[0]?.file.text())?.split('UE5H').length, 2);
  const pictures = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.png`, 'x'.repeat(9_000_000)]));
  const shown = Object.keys(pictures).map((name) => `<img src="${name}">`);
  const rest = await readZip(zip({ 'a.html': `<html>${shown.join('')}`, 'b.html': '<html>b', ...pictures }));
  t.match(
    rest?.map(({ file, fault }) => [file.name, fault]),
    [
      ['b.html', null],
      ['a.html', /dépassent 40 Mo/],
    ],
  );
});
