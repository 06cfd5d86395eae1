import JSZip from 'jszip';
import t from 'tap';
import { docx, htmlOf, imported, p, picture, r } from '../../../../../test/support/word-file.ts';
import { AppError } from '../../../../platform/errors.ts';
import { ImageError } from '../../../../platform/files/images.ts';
import { maxImages } from '../image-intake.ts';
import { importDocument } from './import-document.ts';

const refusedWith = (message: RegExp) => ({ name: 'AppError', status: 400, message });

t.test('a file that is neither Word nor text is refused with advice', async (t) => {
  const cases: [string, Buffer, RegExp][] = [
    ['an old .doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /ancien format \.doc/],
    ['a PDF', Buffer.from('%PDF-1.7\n'), /PDF/],
    ['RTF', Buffer.from('{\\rtf1 a}'), /\.rtf/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /ni un document Word/],
    ['half a document', (await docx({ body: p(r('a')) })).subarray(0, 900), /illisible/],
    [
      'another archive',
      await new JSZip().file('mimetype', 'application/vnd.oasis.opendocument.text').generateAsync({ type: 'nodebuffer' }),
      /illisible/,
    ],
    ['too heavy', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), /10 Mo/],
  ];
  for (const [name, bytes, message] of cases) await t.rejects(imported(bytes), refusedWith(message), name);
});

t.test('a document made to exhaust the server is refused', async (t) => {
  const bomb = new JSZip();
  bomb.file('word/document.xml', Buffer.alloc(20 * 1024 * 1024, ' '));
  const lying = await docx({ body: p(r('a'.repeat(100_000))) });
  // The directory announces a short text. The actual inflated size must be checked.
  for (let at = lying.length - 22; at > 0; at -= 1) if (lying.readUInt32LE(at) === 0x02014b50) lying.writeUInt32LE(10, at + 24);
  const entity = await docx({
    body: p(r('a')),
    files: { 'document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><w:document xmlns:w="w">&b;</w:document>' },
  });
  const typed = await docx({
    body: p(r('a')),
    files: {
      'document.xml':
        '<!DOCTYPE a><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body></w:document>',
    },
  });
  const nested = (open: string, close: string, levels: number) => open.repeat(levels) + p(r('a')) + close.repeat(levels);
  const cases: [string, Buffer, RegExp][] = [
    ['a bomb', await bomb.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }), /trop long/],
    ['entities', entity, /illisible/],
    ['a document type', typed, /illisible/],
    ['levels', await docx({ body: nested('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>', 5_000) }), /trop compliqué/],
    ['tables in tables', await docx({ body: nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 60) }), /trop de niveaux/],
    ['elements', await docx({ body: '<w:p/>'.repeat(410_000) }), /trop long/],
    ['paragraphs', await docx({ body: p(r('a')).repeat(10_001) }), /trop long/],
    ['attributes', await docx({ body: `<w:p ${Array.from({ length: 5_000 }, (_, n) => `a${n}=""`).join(' ')}/>` }), /trop compliqué/],
    ['characters', await docx({ body: p(r('a'.repeat(600_000))) }), /trop long/],
    ['Markdown', Buffer.from('> '.repeat(20_000)), /trop/],
    ['one paragraph', Buffer.from(`a\n\n${'![['.repeat(40_000)}`), /^Ligne 3 : plus de 100 000 caractères sans ligne vide/],
  ];
  for (const [name, bytes, message] of cases) await t.rejects(imported(bytes), refusedWith(message), name);
  t.match(await imported(lying), { remarques: [] }, "the size in the archive's directory is not trusted");
});

t.test('hostile content becomes text or is removed', async (t) => {
  const { contenu } = await imported({
    body: p(r('&lt;img src=x onerror=alert(1)&gt;')) + p(`<w:hyperlink r:id="l">${r('lien')}</w:hyperlink>`),
    links: { l: 'javascript:alert(1)' },
  });
  t.equal(htmlOf(contenu), '<p>&lt;img src=x onerror=alert(1)&gt;</p><p>lien</p>');
});

t.test('pictures are stored once each and limited in number, a refusal is reported, and a failure is thrown', async (t) => {
  const ids = Array.from({ length: maxImages + 2 }, (_, index) => `i${index}`);
  const many = await docx({
    body: p(ids.map((id) => picture(id)).join('') + picture('i0')),
    images: Object.fromEntries(ids.map((id) => [id, `media/${id}.png`])),
    files: Object.fromEntries(ids.map((id) => [`media/${id}.png`, id])),
  });
  const seen: string[] = [];
  const { contenu, remarques } = await importDocument(many, async (bytes) => {
    seen.push(bytes.toString());
    if (seen.length === 2) throw new ImageError("L'image est illisible.");
    return { src: '/media/a.webp', width: 10, height: 10 };
  });
  t.equal(seen.length, maxImages);
  t.equal(new Set(seen).size, maxImages);
  t.equal(htmlOf(contenu).match(/<img/g)?.length, maxImages, '39 stored pictures are shown, one of them twice');
  t.match(remarques, [/^1 image refusée : L'image est illisible/, /^2 images au-delà de 40/]);
  const full = () => Promise.reject(new AppError('DISK.FULL', 507, 'Plus de place'));
  const failure = { name: 'AppError', status: 507 };
  await t.rejects(importDocument(many, full), failure);
});
