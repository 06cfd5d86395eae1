import { parseHTML } from 'linkedom';
import t from 'tap';
import { documentFromDom } from '../parse.ts';
import { generator, randomDocument } from '../random-documents.ts';
import { escapeHtml, serialise } from '../serialise.ts';
import { normaliseForeign } from './normalise.ts';

interface Json {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: unknown[];
  content?: Json[];
}

/** A document without what nobody sees: spaces, line ends, and blocks that hold nothing else. */
function seen(node: Json): Json | null {
  if (node.type === 'text') {
    const text = (node.text ?? '').replaceAll(/[\s\u00a0\ufeff]/g, '');
    return text === '' ? null : { ...node, text };
  }
  if (node.type === 'hard_break') return null;
  // Of one pixel: counted, not seen.
  if (node.type === 'image' && node.attrs?.width === 1 && node.attrs.height === 1) return null;
  if (node.type === 'code_block') return node;
  const content = (node.content ?? []).map(seen).filter((child) => child !== null);
  const isHollow = content.length === 0 && /^(?:paragraph|heading|table|table_row|list_item|blockquote)$/.test(node.type);
  return isHollow ? null : { ...node, content };
}

t.test('HTML of our own comes through as it is', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  t.comment(`SEED=${seed}`);
  const random = generator(seed);
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
