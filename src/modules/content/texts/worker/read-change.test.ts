import { createHash } from 'node:crypto';
import type { Node } from 'prosemirror-model';
import t from 'tap';
import { forgivingHtml } from '../../../../../test/support/forgiving-html.ts';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { type Random, seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { randomDocument } from '../../../../../test/support/random-documents.ts';
import { differenceOf, fingerprintText } from '../../../../shared/rich-text/difference.ts';
import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { Remarks } from '../remarks.ts';
import { readChange } from './read-change.ts';
import { readText } from './read-text.ts';

// A text sent as its change since the stored text is read like the whole text.

const documents = isLongForm ? 4_000 : 400;
const sum = (doc: Node): string => createHash('sha256').update(fingerprintText(doc)).digest('hex');
const changeTo = (base: Node, doc: Node) => ({ stored: forgivingHtml(base), difference: differenceOf(base, doc), fingerprint: sum(doc) });
const textDocument = (...texts: string[]): Node =>
  richTextSchema.node(
    'doc',
    null,
    texts.map((text) => richTextSchema.node('paragraph', null, text === '' ? [] : [richTextSchema.text(text)])),
  );

/** Returns a document in which some blocks of another one are removed, replaced or followed by further ones. */
function edited(base: Node, random: Random): Node {
  const other = randomDocument(random);
  const blocks: Node[] = [];
  base.forEach((block) => {
    const die = random();
    if (die > 0.15) blocks.push(block);
    if (die < 0.25) blocks.push(other.child(Math.floor(random() * other.childCount)));
  });
  return blocks.length > 0 ? richTextSchema.node('doc', null, blocks) : other;
}

t.test('any two documents: the change of one into the other is read as the whole text is', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  let shorter = 0;
  for (let index = 0; index < documents; index += 1) {
    const base = randomDocument(random);
    const doc = index % 4 === 0 ? randomDocument(random) : edited(base, random);
    const change = changeTo(base, doc);
    const [whole, changed] = [readText(doc.toJSON(), new Remarks()), readChange(change)];
    if (!(whole === null ? changed === null : changed?.eq(whole)))
      t.fail(`SEED=${seed}, pair ${index}: ${JSON.stringify(change)}\nleads to ${changed}\nand not to ${whole}`);
    if (change.difference.blocks.length < doc.childCount) shorter += 1;
  }
  t.ok(shorter > documents / 4, `${shorter} of ${documents} changes are shorter than their text`);
});

t.test('a change holds the changed blocks alone', async (t) => {
  const base = textDocument('a', 'b', 'c', 'd');
  const { from, to, blocks } = differenceOf(base, textDocument('a', 'b', 'X', 'd'));
  t.same({ from, to, count: blocks.length }, { from: 2, to: 3, count: 1 });
  t.same(differenceOf(base, base), { from: 4, to: 4, blocks: [] });
  const repeated = differenceOf(textDocument('a', 'a'), textDocument('a', 'a', 'a'));
  t.match(repeated, { from: 2, to: 2 }, 'equal blocks count once, as the beginning or as the end');
  t.equal(repeated.blocks.length, 1);
});

t.test('a change to another text than the stored one is refused, never applied', async (t) => {
  const [base, doc] = [textDocument('a', 'b', 'c'), textDocument('a', 'B', 'c')];
  const change = changeTo(base, doc);
  t.throws(() => readChange({ ...change, stored: forgivingHtml(textDocument('a', 'b', 'd')) }), { name: 'OtherBase' });
  t.throws(() => readChange({ ...change, stored: forgivingHtml(textDocument('a')) }), { name: 'OtherBase' }, 'a shorter text');
  t.throws(() => readChange({ ...change, stored: '<p style="color: red">a</p>' }), { name: 'OtherBase' }, 'not our HTML');
});

t.test('the result keeps the schema and its limits like a whole text', async (t) => {
  const base = textDocument('a', 'b');
  const read = (...blocks: DocumentJson[]) =>
    readChange({ stored: forgivingHtml(base), difference: { from: 1, to: 2, blocks }, fingerprint: '0'.repeat(64) });
  const linked = (href: string) => ({ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] });
  t.throws(() => read({ type: 'paragraph', content: [linked('javascript:alert(1)')] }), { name: 'RichTextError' });
  t.throws(() => read({ type: 'unknown' }), { name: 'RichTextError' });
  t.throws(() => read({ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(500_001) }] }), {
    message: 'Le texte est trop long.',
  });
  t.throws(() => readChange({ ...changeTo(base, base), difference: { from: 2, to: 1, blocks: [] } }), { name: 'RichTextError' });
});
