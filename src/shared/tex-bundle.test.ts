import JSZip from 'jszip';
import t from 'tap';
import { texBundle, texDocuments } from './tex-bundle.ts';

const file = (name: string, content: string, size = content.length) => ({
  name,
  size,
  bytes: async () => new TextEncoder().encode(content),
});

t.test('a TeX document goes with the texts that it reads and the pictures that it names', async (t) => {
  const files = [
    file('cours.tex', '\\documentclass{article}\\input{parties/un}\\includegraphics{figures/Courbe}'),
    file('un.tex', '\\img{été}'),
    file('seul.tex', 'Rien.'),
    file('courbe.png', 'png'),
    file('été.jpg', 'jpg'),
    file('autre.png', 'png'),
    file('trop.png', 'png'),
    file('notes.md', 'courbe'),
  ];
  const documents = await texDocuments(files);
  t.same(
    documents.map(({ main, parts }) => [main.name, parts.map(({ name }) => name)]),
    [
      ['cours.tex', ['un.tex', 'courbe.png', 'été.jpg']],
      ['seul.tex', []],
    ],
  );
  const [course, alone] = documents;
  if (!course || !alone) return;
  const zip = await JSZip.loadAsync(await texBundle(course), { checkCRC32: true });
  t.same(Object.keys(zip.files), ['cours.tex', 'un.tex', 'courbe.png', 'été.jpg']);
  t.equal(await zip.file('un.tex')?.async('string'), '\\img{été}');
  t.equal(new TextDecoder().decode(await texBundle(alone)), 'Rien.', 'a file alone is sent as it is');
});

t.test('parts beyond the size of an import are left out, and files that read each other are documents', async (t) => {
  const [large] = await texDocuments([
    file('a.tex', '\\includegraphics{b}\\includegraphics{c}'),
    file('b.png', 'b', 10_485_000),
    file('c.png', 'c'),
  ]);
  t.same(
    large?.parts.map(({ name }) => name),
    ['c.png'],
  );
  const circle = await texDocuments([file('a.tex', '\\input{b}'), file('b.tex', '\\input a ')]);
  t.same(
    circle.map(({ main }) => main.name),
    ['a.tex', 'b.tex'],
  );
});
