import t from 'tap';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { type ListLabel, listLabels, writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import { markdownToHtml } from './to-html.ts';

const reports: string[] = [];
const html = (markdown: string): string =>
  markdownToHtml(markdown, 1, (_line, message) => reports.push(message))
    .replaceAll(/ data-[a-z-]*line[a-z-]*="[^"]*"| [a-z-]+="\d+:\d+"/g, '')
    .replaceAll(/<\/?p>/g, '');

t.test('labels in order are lists', async (t) => {
  const lists: [string, string][] = [
    ['a) x\nb) y', '<ol type="a" data-label="a)"><li>x</li><li>y</li></ol>'],
    ['Soit :\n(a) x\n(b) y\n\nfin', 'Soit :<ol type="a" data-label="(a)"><li>x</li><li>y</li></ol>fin'],
    ['I. x\n\nII. y', '<ol type="I"><li>x</li><li>y</li></ol>'],
    ['A. x\nB. y\nC. z', '<ol type="A"><li>x</li><li>y</li><li>z</li></ol>'],
    ['c)  x\nd)  y', '<ol start="3" type="a" data-label="a)"><li>x</li><li>y</li></ol>'],
    ['h)  x\ni)  y\nj)  z', '<ol start="8" type="a" data-label="a)"><li>x</li><li>y</li><li>z</li></ol>'],
    ['2) x\n3) y', '<ol start="2" data-label="1)"><li>x</li><li>y</li></ol>'],
    ['a) x\nb) y\n\n(1) u\n(2) v', '<ol type="a" data-label="a)"><li>x</li><li>y</li></ol><ol data-label="(1)"><li>u</li><li>v</li></ol>'],
    ['> i) x\n> ii) y', '<blockquote><ol type="i" data-label="i)"><li>x</li><li>y</li></ol></blockquote>'],
    ['a) x\n   b) reste\nb) y', '<ol type="a" data-label="a)"><li>x\nb) reste</li><li>y</li></ol>'],
  ];
  for (const [markdown, expected] of lists) t.equal(html(markdown), expected, markdown);
});

t.test('prose with such beginnings stays as it was written', async (t) => {
  const prose = [
    'A. Einstein est né à Ulm.',
    'M. Dupont et N. Martin.',
    'M. Dupont\nN. Martin',
    'A. Einstein\nB. Russell',
    'a) une seule remarque',
    'c) x\nd) y',
    'a) x\n*b) y\nc) z',
    'a) x\nb) y\nRéponse : b',
    'a) x\nc) y',
  ];
  for (const text of prose) t.equal(html(text), text, text);
  t.equal(html('a) x\\\nb) y'), 'a) x<br>\nb) y', 'lines broken by hand');
  t.equal(html('```\na) x\nb) y\n```'), '<pre><code>a) x\nb) y</code></pre>', 'code');
  t.equal(html('<div>\na) x\nb) y\n</div>'), '<div>\na) x\nb) y\n</div>', 'a block of HTML');
  t.equal(html('- x\n\n      a) y\n      b) z'), '<ul><li>x<pre><code>a) y\nb) z</code></pre></li></ul>', 'indented code in an item');
  t.same(reports, []);
});

interface List {
  readonly label: ListLabel;
  readonly start: number;
  readonly items: readonly { readonly text: string; readonly inner: List | null }[];
}

t.test('200 random nestings keep each label', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const labels: readonly ListLabel[] = [null, ...listLabels];
  const list = (depth: number): List => ({
    label: labels[below(labels.length)] ?? null,
    start: random() < 0.6 ? 1 : 1 + below(20),
    items: Array.from({ length: 2 + below(3) }, () => ({
      text: `m${below(1000)}`,
      inner: depth > 0 && random() < 0.4 ? list(depth - 1) : null,
    })),
  });
  const markdown = ({ label, start, items }: List, indent: string, isLoose: boolean): string =>
    items
      .map(({ text, inner }, index) => {
        const mark = `${writtenLabel(label, start + index)}  `;
        // Only a list that begins at 1 may follow a line of text directly.
        const isApart = isLoose || (inner !== null && inner.start !== 1);
        return `${indent}${mark}${text}${isApart ? '\n' : ''}${inner ? `\n${markdown(inner, indent + ' '.repeat(mark.length), isLoose)}` : ''}`;
      })
      .join('\n');
  const labelled = ({ label, start, items }: List): string[] =>
    items.flatMap(({ text, inner }, index) => [`${writtenLabel(label, start + index)} ${text}`, ...(inner ? labelled(inner) : [])]);
  /** Returns the items of HTML with their labels, as a browser counts them. */
  const read = (found: string): string[] => {
    const open: { label: ListLabel; next: number }[] = [];
    return [...found.matchAll(/<(\/?)(ol|li)([^>]*)>([^<]*)/g)].flatMap(([, isEnd, tag, attributes = '', text = '']) => {
      if (tag === 'ol' && isEnd) open.pop();
      else if (tag === 'ol') {
        const [, type] = /type="(.)"/.exec(attributes) ?? [];
        const [, label] = /data-label="([^"]*)"/.exec(attributes) ?? [];
        const [, start = '1'] = /start="(\d+)"/.exec(attributes) ?? [];
        open.push({ label: (label ?? (type ? `${type}.` : null)) as ListLabel, next: Number(start) });
      } else if (!isEnd) {
        const own = open.at(-1) as { label: ListLabel; next: number };
        own.next += 1;
        return [`${writtenLabel(own.label, own.next - 1)} ${text.trim()}`];
      }
      return [];
    });
  };
  for (let round = 0; round < 200; round += 1) {
    const made = list(3);
    const source = markdown(made, '', random() < 0.3);
    const found = read(html(source));
    if (found.join('\n') === labelled(made).join('\n')) continue;
    t.same(found, labelled(made), `SEED=${seed}, round ${round}`, { source });
    return;
  }
});
