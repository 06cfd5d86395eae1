import { parseHTML } from 'linkedom';
import t from 'tap';
import { seeded, seedOfRun } from '../../../../test/support/random.ts';
import { randomDocument } from '../../../../test/support/random-documents.ts';
import { escapeHtml } from '../../escapes.ts';
import { documentFromDom } from '../parse.ts';
import { serialise } from '../serialise.ts';
import { normaliseForeign } from './normalise.ts';

interface Json {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: unknown[];
  content?: Json[];
}

/** Returns a document without invisible content: spaces, line breaks, and blocks that contain nothing else. */
function seen(node: Json, within = ''): Json | null {
  if (node.type === 'text' && within === 'code_block') {
    // Non-breaking spaces count as spaces in code, where they are not valid. Empty lines at its end are invisible.
    const code = (node.text ?? '').replaceAll('\u00a0', ' ').replace(/\n+$/, '');
    return code === '' ? null : { ...node, text: code };
  }
  if (node.type === 'text') {
    const text = (node.text ?? '').replaceAll(/[\s\u00a0\ufeff]/g, '');
    return text === '' ? null : { ...node, text };
  }
  if (node.type === 'hard_break') return null;
  // Images of one pixel are tracking pixels.
  if (node.type === 'image' && node.attrs?.width === 1 && node.attrs.height === 1) return null;
  const content: Json[] = [];
  for (const child of node.content ?? []) {
    const part = seen(child, node.type);
    const last = content.at(-1);
    // The content between these two texts is invisible.
    if (part?.type === 'text' && last?.type === 'text' && JSON.stringify(part.marks) === JSON.stringify(last.marks))
      content[content.length - 1] = { ...last, text: `${last.text}${part.text}` };
    else if (part) content.push(part);
  }
  const isHollow = content.length === 0 && /^(?:paragraph|heading|table|table_row|list_item|blockquote)$/.test(node.type);
  return isHollow ? null : { ...node, content };
}

t.test('leaves our own HTML unchanged', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  for (let iteration = 0; iteration < 150; iteration += 1) {
    const doc = randomDocument(random);
    const html = serialise(doc, { formula: (latex) => escapeHtml(latex), code: (text) => escapeHtml(text) });
    const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${html}</body></html>`);
    const { notes } = normaliseForeign(document.body as unknown as Element);
    const back = documentFromDom(document.body as unknown as ParentNode);
    const [before, after] = [doc, back].map((node) => JSON.stringify(seen(node.toJSON())));
    const said = notes.filter((note) => !/ligne/.test(note));
    if (before === after && said.length === 0) continue;
    const at = [...(before ?? '')].findIndex((character, index) => character !== after?.[index]);
    const part = (text: string | undefined): string | undefined => text?.slice(Math.max(0, at - 200), at + 100);
    t.equal(part(after), part(before), `SEED=${seed}, document ${iteration}`);
    t.same(said, []);
    return;
  }
  t.pass('150 documents');
});

t.test('keeps the remark on a choice without text', async (t) => {
  const choice = '<article data-id="000000000001"><table><tr></tr></table><aside><p>Presque.</p></aside></article>';
  const question = `<section class="question"><header><p>Combien ?</p></header>${choice}</section>`;
  const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${question}</body></html>`);
  normaliseForeign(document.body as unknown as Element);
  const parts = documentFromDom(document.body as unknown as ParentNode)
    .child(0)
    .child(1);
  t.same(
    parts.children.map(({ type }) => type.name),
    ['paragraph', 'question_remark'],
  );
});

t.test('keeps an empty corner beside headers as a cell, and turns a head row without headers into headers', async (t) => {
  for (const [row, expected] of [
    ['<td></td><th>Signe</th>', 'table_cell table_header'],
    ['<td>Valeur</td><td>Signe</td>', 'table_header table_header'],
  ] as const) {
    const table = `<table><thead><tr>${row}</tr></thead><tbody><tr><td>0</td><td>+</td></tr></tbody></table>`;
    const { document } = parseHTML(`<!DOCTYPE html><html><head></head><body>${table}</body></html>`);
    normaliseForeign(document.body as unknown as Element);
    const first = documentFromDom(document.body as unknown as ParentNode)
      .child(0)
      .child(0);
    t.equal([first.child(0), first.child(1)].map(({ type }) => type.name).join(' '), expected);
  }
});
