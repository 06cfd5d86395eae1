import t from 'tap';
import { forgivingHtml } from '../../../../../test/support/forgiving-html.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { randomDocument } from '../../../../../test/support/random-documents.ts';
import { MAX_DEPTH } from '../../../../shared/rich-text/bounds.ts';
import { closeMarkup } from '../html/unclosed-markup.ts';
import { Remarks } from '../remarks.ts';
import { readText } from './read-text.ts';

// HTML and editor documents as the API receives them: the document read from them, and the time that reading takes.

const read = (input: unknown) => readText(input, new Remarks());
const html = (input: unknown) => {
  const doc = read(input);
  return doc ? forgivingHtml(doc) : null;
};

t.test('reading and writing canonical HTML changes neither the HTML nor its document', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  let read = 0;
  for (let index = 0; index < 300; index += 1) {
    const doc = randomDocument(random);
    const remarks = new Remarks();
    const again = readText(forgivingHtml(doc), remarks);
    if (!again) continue;
    read += 1;
    if (!again.eq(doc)) t.fail(`SEED=${seed}, document ${index}: ${doc}\nis read as ${again}`);
    if (remarks.list().length > 0) t.fail(`SEED=${seed}, document ${index}: ${remarks.list()}`);
  }
  t.ok(read > 250, `${read} documents`);
});

t.test('spaces are kept in our own HTML, and are layout in other HTML', async (t) => {
  t.equal(html('<p>deux  espaces</p>'), '<p>deux  espaces</p>');
  t.equal(html('<div>\n  <p>deux  espaces</p>\n</div>'), '<p>deux espaces</p>');
});

t.test('a text of blank lines is empty', async (t) => {
  for (const blank of [
    null,
    undefined,
    '',
    ' ',
    '<p></p>',
    '<p>&nbsp;<br></p><h2></h2>',
    '<div><script>x</script></div>',
    '<ul><li></li></ul>',
    '<table><tr><td></td></tr></table>',
    { type: 'doc', content: [{ type: 'paragraph' }] },
  ])
    t.equal(read(blank), null, JSON.stringify(blank));
  for (const content of ['x', '<hr>', '<p><img src="https://exemple.cm/a.png"></p>', '<ul><li>x</li></ul>', '<pre><code>x</code></pre>'])
    t.ok(read(content), content);
});

t.test('unclosed markup swallows no text', async (t) => {
  const closed: [string, string][] = [
    ['<p>a</p><script>b<p>c</p>', '<p>a</p>&lt;script>b<p>c</p>'],
    ['<p>a</p><script>b</script><p>c</p>', '<p>a</p><script>b</script><p>c</p>'],
    ['<img src="x><p>c</p>', '&lt;img src="x><p>c</p>'],
    ['<a title=\'x\' href="y"><p>c</p>', '<a title=\'x\' href="y"><p>c</p>'],
    ["<p>it's</p>", "<p>it's</p>"],
    ['<!-- a <p>c</p>', '&lt;!-- a <p>c</p>'],
    ['<!-- a --><p>c</p>', '<!-- a --><p>c</p>'],
    ['<!--><p>c</p>-->', '<p>c</p>-->'],
    ['<!doctype html><html><head></head><body class=x><p>c</p></body></html>', '<p>c</p>'],
    ['<plaintext><p>c</p>', '&lt;plaintext><p>c</p>'],
    ['<object data=x><p>c</p>', '<p>c</p>'],
    ['<object data=x></object><p>c</p>', '<object data=x></object><p>c</p>'],
    ['1 < 2 <p>c</p>', '1 < 2 <p>c</p>'],
    ['<p>c</p><', '<p>c</p><'],
    ['<p>c</p><b', '<p>c</p>&lt;b'],
  ];
  for (const [given, expected] of closed) t.equal(closeMarkup(given), expected, given);
});

t.test('a distant end is searched only once', async (t) => {
  const bare = '</b>'.repeat(80_000);
  const cost = (html: string): number => {
    const start = process.cpuUsage();
    closeMarkup(html);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  for (const [name, unit, end] of [
    ['comments', '<!--a-->', '--!>'],
    ['comments of the other kind', '<!--a--!>', '-->'],
    ['quotes', '<br a="b">', "='"],
  ] as const) {
    // 59,000 is close to the maximum number of nodes. An earlier release searched the text again from each node and took a minute.
    const [short = 0, long = 0] = [5_900, 59_000].map((count) => cost(unit.repeat(count) + bare + end));
    t.ok(long < 40 * Math.max(short, 0.01), `${name}: ${short.toFixed(2)} s, then ${long.toFixed(2)} s`);
  }
  for (const unit of ['<!--a-->', '<', '<!--', '</>', '</p>'])
    t.throws(
      () => closeMarkup(unit.repeat(61_000)),
      { name: 'RichTextError', message: /trop long/ },
      `${unit}: what becomes a node counts`,
    );
  t.equal(closeMarkup('<!--a--><!--b--!>c<!--d-->e--!>'), '<!--a--><!--b--!>c<!--d-->e--!>');
  t.equal(closeMarkup('<!--a--!>b<script>c</script><!--d'), '<!--a--!>b<script>c</script>&lt;!--d');
});

t.test('a text that would exhaust the parser is refused within the time limit', async (t) => {
  const hostile: Record<string, string> = {
    'deep elements': '<div>',
    'deep lists': '<ul><li>',
    'deep tables': '<table><tr><td>',
    'formulas that do not end': '<span class="formula" data-latex="x">',
    'comments that do not end': '<!--',
    'comments that end': '<!--a-->',
    'quotes that do not end': '<a b="',
    'less-than signs': '<',
    entities: '&amp;',
    paragraphs: '<p>x</p>',
    styles: '<span style="color:red">x</span>',
  };
  for (const [name, unit] of Object.entries(hostile)) {
    const start = process.cpuUsage();
    try {
      read(unit.repeat(Math.floor(200_000 / unit.length)));
    } catch (error) {
      t.match(error, { name: 'RichTextError', message: /trop (?:long|de niveaux imbriqués)/ }, name);
    }
    const { user, system } = process.cpuUsage(start);
    // Earlier quadratic algorithms needed a minute for these.
    t.ok((user + system) / 1e6 < 5, `${name}: ${((user + system) / 1e6).toFixed(1)} s`);
  }
  const nested = html(`${'<blockquote>'.repeat(200)}<p>au fond</p>`);
  t.match(nested, 'au fond');
  t.ok((nested?.match(/<blockquote>/g) ?? []).length < MAX_DEPTH, 'levels beyond the limit are dropped');
});
