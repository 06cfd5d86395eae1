import JSZip from 'jszip';
import type { Node } from 'prosemirror-model';
import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { type RandomTex, randomTex } from '../../../../../test/support/random-tex.ts';
import { AppError } from '../../../../platform/errors.ts';
import { documentFromJson } from '../../../../shared/rich-text/document.ts';
import { writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import { importDocument } from '../worker/import-document.ts';

// Property: each word, formula, cell, list label and picture of a random TeX file is in the item, or named in the report.

const bytesOf = async ({ source, files }: Pick<RandomTex, 'source' | 'files'>): Promise<Buffer> => {
  if (files.size === 0) return Buffer.from(source);
  const zip = new JSZip().file('cours.tex', source);
  for (const [name, bytes] of files) zip.file(name, bytes);
  return zip.generateAsync({ type: 'nodebuffer' });
};

const read = async (bytes: Buffer, stored: string[] = []) =>
  importDocument(
    bytes,
    async (picture) => {
      stored.push(picture.toString());
      return { src: `/media/${stored.length}.webp`, width: 400, height: 200 };
    },
    { hasTitle: true, hasCorrection: true, hasQuestions: false },
  );

const squeeze = (text: string): string => text.replaceAll(/\s+/g, '');

/** What a document holds, in its order. */
function contentOf(docs: readonly Node[]) {
  let text = '';
  const formulas: string[] = [];
  const rows: string[] = [];
  const items: string[] = [];
  for (const doc of docs)
    doc.descendants((node, _, parent, index) => {
      const name = node.type.name;
      if (node.isText) text += node.text;
      else if (node.isBlock) text += ' ';
      else if (name === 'hard_break') text += ' ';
      if (name.startsWith('formula')) formulas.push(squeeze(node.attrs.latex));
      if (name === 'table_row') rows.push(node.children.map((cell) => cell.textContent).join('|'));
      if (name === 'list_item') {
        const label = parent?.type.name === 'ordered_list' ? writtenLabel(parent.attrs.label, parent.attrs.order + index) : '';
        items.push(`${label} ${node.textContent}`.trim());
      }
    });
  return { text, formulas, rows, items };
}

/** Returns what is missing from an imported file, in words. */
async function missing(written: RandomTex): Promise<string[]> {
  const stored: string[] = [];
  const { contenu, corrige, remarques } = await read(await bytesOf(written), stored);
  const main = documentFromJson(contenu);
  const all = contentOf([main, ...(corrige ? [documentFromJson(corrige)] : [])]);
  const report = remarques.join('\n');
  const faults: string[] = [];
  const words = new Set(all.text.split(/[^\p{L}\p{N}]+/u));
  for (const word of [...written.words, ...written.moved]) if (!words.has(word) && !report.includes(word)) faults.push(`word ${word}`);
  const order = contentOf([main])
    .text.split(/[^\p{L}\p{N}]+/u)
    .filter((word) => written.words.includes(word));
  if (order.join() !== written.words.join()) faults.push(`order of ${written.words.join()}: ${order.join()}`);
  for (const formula of written.formulas)
    if (!all.formulas.some((one) => one.includes(squeeze(formula))) && !squeeze(report).includes(squeeze(formula)))
      faults.push(`formula ${formula}`);
  for (const row of written.rows)
    if (!all.rows.some((one) => one.split('|').filter(Boolean).join() === row.join())) faults.push(`row ${row}`);
  for (const { label, word } of written.items)
    if (!all.items.some((item) => item.startsWith(label === null ? word : `${label} ${word}`))) faults.push(`item ${label} ${word}`);
  for (const { name, isThere } of written.pictures)
    if (isThere ? !stored.includes(`png ${name}`) : !report.includes(name)) faults.push(`picture ${name}`);
  return faults;
}

t.setTimeout(isLongForm ? 900_000 : 90_000);

const runs = isLongForm ? 2_000 : 200;

t.test('each word, formula, cell, label and picture is in the item or named in the report', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const total = { words: 0, formulas: 0, items: 0, rows: 0, pictures: 0 };
  for (let index = 0; index < runs; index += 1) {
    const written = randomTex(seeded(seed + index));
    const faults = await missing(written);
    if (faults.length > 0) {
      t.fail(`SEED=${seed + index}: ${faults.slice(0, 5).join('; ')}\n${written.source}`);
      return;
    }
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += written[name].length;
  }
  t.comment(JSON.stringify(total));
  for (const [name, count] of Object.entries(total)) t.ok(count > runs / 2, `${count} ${name}`);
});

const damages: ((source: string, random: () => number) => string)[] = [
  (source, random) => source.slice(0, random() * source.length),
  (source, random) => cut(source, random, 1),
  (source, random) => cut(source, random, 40),
  (source, random) =>
    insert(
      source,
      random,
      [
        '{',
        '}',
        '$',
        '$$',
        '\\begin{a}',
        '\\end{itemize}',
        '&',
        '\\\\',
        '[',
        ']',
        '\\item',
        '%',
        '\\[',
        '\\verb|',
        '\\begin{tabular}{',
        '\\footnote{',
        '\\section',
        '#',
        '\\x',
        '\u0000',
      ][Math.floor(random() * 20)] as string,
    ),
  (source, random) => insert(source, random, source.slice(random() * source.length, random() * source.length).slice(0, 300)),
];
function insert(source: string, random: () => number, piece: string): string {
  const at = Math.floor(random() * source.length);
  return source.slice(0, at) + piece + source.slice(at);
}
function cut(source: string, random: () => number, length: number): string {
  const at = Math.floor(random() * source.length);
  return source.slice(0, at) + source.slice(at + length);
}

t.test('a damaged file is read or refused, and never fails otherwise', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  for (let index = 0; index < runs; index += 1) {
    const random = seeded(seed + index);
    let { source } = randomTex(random);
    for (let count = 1 + Math.floor(random() * 4); count > 0; count -= 1)
      source = (damages[Math.floor(random() * damages.length)] as (typeof damages)[number])(source, random);
    try {
      const start = performance.now();
      await importDocument(Buffer.from(source), async () => ({ src: '/media/a.webp', width: 4, height: 2 }), undefined, false, true);
      const ms = performance.now() - start;
      if (ms > 5_000) t.fail(`SEED=${seed + index}: ${ms} ms`);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 400) {
        t.fail(`SEED=${seed + index}: ${error instanceof Error ? error.stack : error}`);
        return;
      }
    }
  }
  t.pass(`${runs} files`);
});
