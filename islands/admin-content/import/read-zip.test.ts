import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { readZip } from './read-zip.ts';

/** Returns an archive with these files. @param change what the central directory claims about each, instead of the truth */
function zip(files: Record<string, string>, change: { size?: number; flags?: number } = {}): File {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [title, data] = [Buffer.from(name), deflateRawSync(content)];
    const size = change.size ?? Buffer.byteLength(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(title.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(change.flags ?? 0, 8);
    central.writeUInt16LE(8, 10);
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

t.test('files of an archive, without folders and what macOS adds', async (t) => {
  const files = await readZip(
    zip({ 'Cours/': '', 'Cours/Leçon 1.md': '# Un', '__MACOSX/._Leçon 1.md': 'x', '.DS_Store': 'x', 'b.md': 'Deux' }),
  );
  t.same(await Promise.all((files ?? []).map(async (file) => [file.name, await file.text()])), [
    ['Leçon 1.md', '# Un'],
    ['b.md', 'Deux'],
  ]);
});

t.test('what is no archive, encrypted, damaged, or larger than it says is refused', async (t) => {
  t.equal(await readZip(new File(['pas une archive'], 'a.zip')), null);
  t.equal(await readZip(new File([], 'a.zip')), null);
  t.equal(await readZip(zip({ 'a.md': 'Texte' }, { flags: 1 })), null);
  t.equal(await readZip(zip({ 'a.md': 'x'.repeat(1_000) }, { size: 10 })), null);
  t.equal(await readZip(zip({ 'a.md': 'x' }, { size: 11 * 1024 * 1024 })), null);
  const whole = Buffer.from(await zip({ 'a.md': 'Texte assez long pour être coupé' }).arrayBuffer());
  for (let length = 0; length < whole.length; length += 1)
    t.equal(await readZip(new File([whole.subarray(0, length)], 'a.zip')), null, `${length}`);
});

t.test('pages bring their pictures; what belongs to pages only is no file of its own', async (t) => {
  const page =
    '<!DOCTYPE html><meta charset="utf-8"><p>Été <img alt="" src="La%20pile_files/a.png"><img src="https://exemple.cm/b.png"></p>';
  const files = await readZip(
    zip({ 'Cours/La pile.html': page, 'Cours/La pile_files/a.png': 'PNG', 'Cours/La pile_files/style.css': 'p {}', 'b.md': 'Deux' }),
  );
  t.same(await Promise.all((files ?? []).map(async (file) => [file.name, await file.text()])), [
    ['La pile.html', page.replace('La%20pile_files/a.png', 'data:image/png;base64,UE5H')],
    ['b.md', 'Deux'],
  ]);
  const others = await readZip(zip({ 'a.md': 'Un', 'photo.png': 'PNG' }));
  t.same(
    others?.map(({ name }) => name),
    ['a.md', 'photo.png'],
    'without a page, each file is named',
  );
});
