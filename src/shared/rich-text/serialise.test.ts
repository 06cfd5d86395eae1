import { HtmlValidate } from 'html-validate';
import { parseHTML } from 'linkedom';
import type { Node } from 'prosemirror-model';
import t from 'tap';
import { seeded, seedOfRun } from '../../../test/support/random.ts';
import { randomDocument } from '../../../test/support/random-documents.ts';
import { escapeHtml } from '../escapes.ts';
import { checkDocument, documentFromJson } from './document.ts';
import { documentFromDom } from './parse.ts';
import { richTextSchema } from './schema.ts';
import { serialise } from './serialise.ts';

const renderFormula = (latex: string, display: boolean): string =>
  `<math${display ? ' display="block"' : ''}><mtext>${escapeHtml(latex)}</mtext></math>`;
const write = (doc: Node): string => serialise(doc, { formula: renderFormula });
const read = (html: string, whitespace: 'exact' | 'collapse' = 'exact'): Node =>
  documentFromDom(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body, whitespace);

const text = (value: string, ...marks: string[]) => ({ type: 'text', text: value, marks: marks.map((type) => ({ type })) });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const cell = (type: string, value: string, attrs = {}) => ({ type, attrs, content: [paragraph(text(value))] });
const picture = { src: '/media/ab/figure-1.png', alt: 'Courbe "croissante" & <bornée>', width: 640, height: 480 };

const everything = documentFromJson({
  type: 'doc',
  content: [
    ...[2, 3, 4, 5, 6].map((level) => ({ type: 'heading', attrs: { level }, content: [text(`Titre ${level}`)] })),
    { type: 'heading', attrs: { level: 1, align: 'center', dir: 'rtl' }, content: [text('Titre 1')] },
    { type: 'paragraph', attrs: { align: 'justify', indent: 3 }, content: [text('en retrait')] },
    { type: 'paragraph', attrs: { align: 'left', dir: 'rtl' }, content: [text('à gauche')] },
    paragraph(
      { type: 'text', text: 'rouge', marks: [{ type: 'text_color', attrs: { color: 'red' } }] },
      {
        type: 'text',
        text: 'sur jaune',
        marks: [
          { type: 'text_color', attrs: { color: 'blue' } },
          { type: 'background_color', attrs: { color: 'yellow' } },
        ],
      },
      text('gras', 'strong'),
      text('les deux', 'em', 'strong'),
      text('souligné', 'underline'),
      text('barré', 'strike'),
      text('indice', 'subscript'),
      text('exposant', 'superscript'),
      text('code', 'code'),
      { type: 'text', text: 'lien', marks: [{ type: 'link', attrs: { href: 'https://exemple.cm/?a=1&b=2' } }] },
      { type: 'formula', attrs: { latex: 'a < b & "c"' } },
      { type: 'hard_break' },
      { type: 'image', attrs: picture },
    ),
    { type: 'blockquote', content: [paragraph(text('cité'))] },
    { type: 'code_block', attrs: { language: 'python' }, content: [text('\nif a < b:\n  pass\n')] },
    { type: 'horizontal_rule' },
    { type: 'video', attrs: { src: 'https://vimeo.com/76979871', title: 'Les "suites"' } },
    {
      type: 'bullet_list',
      attrs: { dir: 'rtl' },
      content: [{ type: 'list_item', content: [{ type: 'paragraph', attrs: { indent: 1 } }] }],
    },
    {
      type: 'bullet_list',
      content: [
        {
          type: 'list_item',
          content: [paragraph(text('un')), { type: 'bullet_list', content: [{ type: 'list_item', content: [paragraph()] }] }],
        },
        { type: 'list_item', content: [paragraph(text('deux')), paragraph(text('encore'))] },
      ],
    },
    { type: 'ordered_list', attrs: { order: 3 }, content: [{ type: 'list_item', content: [paragraph(text('trois'))] }] },
    {
      type: 'table',
      content: [
        { type: 'table_row', content: [{ type: 'table_cell', content: [paragraph()] }, cell('table_header', 'Signe', { colspan: 2 })] },
        { type: 'table_row', content: [cell('table_header', 'f', { rowspan: 2 }), cell('table_cell', '+'), cell('table_cell', '-')] },
        { type: 'table_row', content: [cell('table_cell', '0', { colspan: 2, width: 30 })] },
      ],
    },
    { type: 'figure', attrs: picture, content: [text('Légende '), { type: 'formula', attrs: { latex: 'u_n' } }] },
    { type: 'figure', attrs: { ...picture, width: null, height: null } },
    { type: 'formula_block', attrs: { latex: '\\sum_{k=1}^n k' } },
    {
      type: 'question',
      attrs: { id: 'a1b2c3d4e5f6', kind: 'several', points: 2 },
      content: [
        { type: 'question_statement', content: [paragraph(text('Qui vote ?'))] },
        {
          type: 'question_choice',
          attrs: { id: 'a1b2c3d4e5f7', right: true },
          content: [paragraph(text('Le Sénat')), { type: 'question_remark', content: [paragraph(text('Article 14'))] }],
        },
        { type: 'question_explanation', content: [paragraph(text('Le Parlement a deux chambres.'))] },
      ],
    },
  ],
});

t.test('serialises a document with every node and mark', async (t) => {
  const html = write(everything);
  t.strictSame(read(html).toJSON(), everything.toJSON(), 'parsing the HTML returns the same document');
  t.equal(write(read(html)), html, 'serialising again returns the same HTML');
  t.notMatch(html, /\sstyle=/);
  t.match(
    html,
    '<div class="table-scroll" tabindex="0" role="group" aria-label="Tableau"><table><thead><tr><td></td><th colspan="2" scope="col">Signe</th>',
  );
  t.match(html, '<span class="formula" data-latex="a &lt; b &amp; &quot;c&quot;"><math>');
  t.match(html, '<ul><li>un<ul><li></li></ul></li><li><p>deux</p><p>encore</p></li></ul><ol start="3"><li>trois</li></ol>');
  t.match(html, 'width="640" height="480" loading="lazy" decoding="async"></figure>'.replace('</figure>', '<figcaption>Légende '));
  t.match(html, '<h1 class="align-center" dir="rtl">Titre 1</h1><p class="align-justify indent-3">en retrait</p>');
  t.match(html, '<span class="color-red">rouge</span><span class="color-blue"><span class="bg-yellow">sur jaune</span></span>');
  t.match(
    html,
    '<div class="video" data-video="https://vimeo.com/76979871" data-title="Les &quot;suites&quot;"><a href="https://vimeo.com/76979871"',
  );
  t.match(html, '<ul dir="rtl"><li><p class="indent-1"></p></li></ul>');
  t.match(html, '<td colspan="2" class="w-30">0</td>');
  const seen = new Set<string>();
  everything.descendants((node) => {
    seen.add(node.type.name);
    for (const mark of node.marks) seen.add(mark.type.name);
  });
  t.same(
    [...Object.keys(richTextSchema.nodes), ...Object.keys(richTextSchema.marks)].filter((name) => name !== 'doc' && !seen.has(name)),
    [],
  );
});

t.test('the serialised HTML is valid', async (t) => {
  const page = `<!DOCTYPE html>\n<html lang="fr"><head><title>Leçon</title></head><body><main><h1>Leçon</h1>${write(everything)}</main></body></html>\n`;
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { 'long-title': 'off' } });
  const report = await validator.validateString(page);
  t.same(
    report.results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`)),
    [],
  );
});

t.test('random documents survive serialising and parsing', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const wanted = new Set<string>();
  for (const [name, { spec }] of [...Object.entries(richTextSchema.nodes), ...Object.entries(richTextSchema.marks)]) {
    wanted.add(name);
    for (const attribute of Object.keys(spec.attrs ?? {})) wanted.add(`${name}.${attribute}`);
  }
  for (let iteration = 0; iteration < 1000; iteration += 1) {
    const doc = randomDocument(random);
    checkDocument(doc);
    const html = write(doc);
    const back = read(html);
    if (!back.eq(doc)) {
      t.strictSame(back.toJSON(), doc.toJSON(), `SEED=${seed}, document ${iteration}`, { html });
      return;
    }
    if (/<[^>]*\sstyle=/.test(html.replace(/"[^"]*"/g, '""'))) t.fail(`a style attribute in document ${iteration}, SEED=${seed}`);
    const note = (name: string, attrs: Record<string, unknown>, defaults: Record<string, { default?: unknown }> = {}): void => {
      wanted.delete(name);
      for (const [attribute, value] of Object.entries(attrs))
        if (value !== defaults[attribute]?.default) wanted.delete(`${name}.${attribute}`);
    };
    note('doc', {});
    doc.descendants((node) => {
      note(node.type.name, node.attrs, node.type.spec.attrs);
      for (const mark of node.marks) note(mark.type.name, mark.attrs, mark.type.spec.attrs);
    });
  }
  t.same([...wanted], [], 'every node, mark and attribute occurred');
});

t.test('writes the alignment left only where lines start at the right', async (t) => {
  const left = (dir: string | null) => documentFromJson({ type: 'doc', content: [{ type: 'paragraph', attrs: { align: 'left', dir } }] });
  t.equal(write(left('rtl')), '<p class="align-left" dir="rtl"></p>');
  t.equal(write(left(null)), '<p></p>');
  t.equal(read('<p class="align-left">x</p>').child(0).attrs.align, null);
});

t.test('a header cell with a rowspan is not cut off by a <thead>', async (t) => {
  const rows = [[cell('table_header', 'a', { rowspan: 2 }), cell('table_header', 'b')], [cell('table_cell', 'c')]];
  const table = { type: 'table', content: rows.map((content) => ({ type: 'table_row', content })) };
  t.notMatch(write(documentFromJson({ type: 'doc', content: [table] })), '<thead>');
});

t.test('a cell with a horizontal line beside a header is no empty corner', async (t) => {
  const line = { type: 'table_cell', content: [{ type: 'horizontal_rule' }] };
  const table = { type: 'table', content: [{ type: 'table_row', content: [line, cell('table_header', 'b')] }] };
  t.notMatch(write(documentFromJson({ type: 'doc', content: [table] })), '<thead>');
});

t.test('layout spaces in foreign HTML are not text', async (t) => {
  t.equal(write(read('\n<h2>\n  Un\n  titre </h2>\n\n<ul>\n  <li> a </li>\n</ul>\n', 'collapse')), '<h2>Un titre</h2><ul><li>a</li></ul>');
});

t.test('refuses invalid documents', async (t) => {
  const refused: [string, unknown, RegExp][] = [
    ['no document', { type: 'script' }, /interdite/],
    ['null', null, /interdite/],
    ['a part', { type: 'paragraph' }, /entier/],
    ['an empty one', { type: 'doc' }, /interdite/],
    [
      'a javascript: link',
      { type: 'doc', content: [paragraph({ ...text('a'), marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] })] },
      /interdite/,
    ],
    [
      'a data: drawing',
      { type: 'doc', content: [paragraph({ type: 'image', attrs: { src: 'data:image/svg+xml;base64,AA' } })] },
      /interdite/,
    ],
    ['a data: page', { type: 'doc', content: [paragraph({ type: 'image', attrs: { src: 'data:text/html;base64,AA' } })] }, /interdite/],
    [
      'a colour that is not in the palette',
      { type: 'doc', content: [paragraph({ ...text('a'), marks: [{ type: 'text_color', attrs: { color: '#f00' } }] })] },
      /interdite/,
    ],
    ['an indentation too far', { type: 'doc', content: [{ type: 'paragraph', attrs: { indent: 9 } }] }, /interdite/],
    ['a video of an unknown place', { type: 'doc', content: [{ type: 'video', attrs: { src: 'https://exemple.cm/page' } }] }, /interdite/],
    [
      'a video address that is not canonical',
      { type: 'doc', content: [{ type: 'video', attrs: { src: 'https://youtu.be/dQw4w9WgXcQ' } }] },
      /interdite/,
    ],
    ['an unresolved image', { type: 'doc', content: [paragraph({ type: 'image', attrs: { src: 'file:a.png' } })] }, /interdite/],
    ['a way up', { type: 'doc', content: [paragraph({ type: 'image', attrs: { src: '/media/../etc/passwd' } })] }, /interdite/],
    ['a long formula', { type: 'doc', content: [{ type: 'formula_block', attrs: { latex: 'x'.repeat(2001) } }] }, /interdite/],
    [
      'a wide cell',
      { type: 'doc', content: [{ type: 'table', content: [{ type: 'table_row', content: [cell('table_cell', 'a', { colspan: 1e9 })] }] }] },
      /interdite/,
    ],
    ['a level that is text', { type: 'doc', content: [{ type: 'heading', attrs: { level: '2 onclick=alert(1)' } }] }, /interdite/],
    ['a language that is markup', { type: 'doc', content: [{ type: 'code_block', attrs: { language: '"><script>' } }] }, /interdite/],
    ['NUL', { type: 'doc', content: [paragraph(text('a\0b'))] }, /caractère/],
    ['half a character', { type: 'doc', content: [paragraph(text('a\ud83d'))] }, /caractère/],
    ['too long', { type: 'doc', content: [paragraph(text('a'.repeat(500_000)))] }, /long/],
    [
      'too deep',
      { type: 'doc', content: Array.from({ length: 60 }).reduce<object[]>((content) => [{ type: 'blockquote', content }], [paragraph()]) },
      /imbriqués/,
    ],
    [
      'far too deep',
      Array.from({ length: 100_000 }).reduce<object>((content) => ({ type: 'blockquote', content: [content] }), {}),
      /imbriqués/,
    ],
  ];
  for (const [name, json, message] of refused) t.throws(() => documentFromJson(json), { name: 'RichTextError', message }, name);
});

t.test('serialises 20 KB quickly', async (t) => {
  const random = seeded(1);
  const content: Node[] = [];
  let size = 0;
  while (size < 20_000) {
    const doc = randomDocument(random);
    size += write(doc).length;
    doc.forEach((node) => {
      content.push(node);
    });
  }
  const doc = richTextSchema.nodes.doc.create(null, content);
  for (let warm = 0; warm < 50; warm += 1) write(doc);
  const start = performance.now();
  for (let run = 0; run < 50; run += 1) write(doc);
  const each = (performance.now() - start) / 50;
  t.comment(`${write(doc).length} bytes of HTML in ${each.toFixed(2)} ms`);
  t.ok(each < 20);
});
