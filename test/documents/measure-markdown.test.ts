import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Node } from 'prosemirror-model';
import t, { type Test } from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { imported } from '../support/word-file.ts';
import { countMarkdown } from './count-markdown.ts';
import { lossesOf } from './losses.ts';
import { measureMarkdown } from './measure-markdown.ts';

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'prepa-markdown-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
};
const measure = (path: string) =>
  spawnSync(process.execPath, [join(projectRoot, 'scripts/measure-documents.ts'), path], { encoding: 'utf8' });

t.test('counts the visible content of a Markdown file', async (t) => {
  const source =
    '# Un\n\nDeux\n----\n\n- a $x$\n  - b `$y$`\n- c 5 $ et 6 $\n\n| a | $|z|$ |\n|---|---|\n| 1 | $$u = v$$ |\n\n    $code$\n\n![d](e.png) [f](https://a.cm/$g$)\n\n\\[ h\n= i \\]\n\n$j\n- k$ fin';
  t.match(countMarkdown(source), { headings: 2, listItems: { 1: 2, 2: 1 }, images: 1, links: 1, equations: 5 });
});

t.test('reports a lost formula', async (t) => {
  const path = join(folder(t), 'a.md');
  writeFileSync(path, 'Soit $A=\\begin{pmatrix}\n1 & 0 \\\\\n2 & 3\n\\end{pmatrix}$ et $x+\ny=2$.\n\n$$\na\n=\nb\n$$\n');
  const measured = await measureMarkdown(path);
  t.same(lossesOf(measured), []);
  t.equal(measured.source.equations, 3);
  t.match(lossesOf({ ...measured, result: { ...measured.result, equations: 2 } }), [{ what: 'équations', lost: 1, reason: null }]);
});

t.test('measures the files of a folder and its subfolders', async (t) => {
  const path = folder(t);
  mkdirSync(join(path, 'un/deux'), { recursive: true });
  writeFileSync(join(path, 'un/deux/a.md'), 'Soit $x$.');
  writeFileSync(join(path, 'b.md'), '## Titre\n\n- a');
  writeFileSync(join(path, 'un/c.rtf'), '');
  const { status, stdout } = measure(path);
  t.match(stdout, /un\/deux\/a\.md .* 1 /);
  t.match(stdout, /Non lus : un\/c\.rtf/);
  t.match(stdout, /2 files, 0 lost without a reason/);
  t.equal(status, 0);
  rmSync(join(path, 'b.md'));
  rmSync(join(path, 'un/deux'), { recursive: true });
  const nothing = measure(path);
  t.not(nothing.status, 0);
  t.match(nothing.stderr, /Rien à mesurer/);
});

const shared = join(projectRoot, '../shared/documents/markdown');

/**
 * Returns words and formulas of an imported file; a formula is represented by its sorted letters and digits, since LaTeX may order them
 * differently.
 */
async function wordsOf(path: string) {
  const { titre, contenu, corrige } = await imported(readFileSync(path));
  let words = `${titre ?? ''} `;
  const formulas: string[] = [];
  const visit = (node: Node): void => {
    if (node.isText) words += node.text;
    else if (node.attrs.latex !== undefined) formulas.push(node.attrs.latex);
    else words += ' ';
    node.forEach(visit);
  };
  for (const json of [contenu, corrige]) if (json) visit(documentFromJson(json));
  return {
    words:
      words
        .normalize('NFC')
        .match(/\p{L}{2,}/gu)
        ?.toSorted() ?? [],
    formulas,
  };
}

t.test(
  'a course and its Word version from pandoc have the same words and formulas',
  { skip: existsSync(shared) ? false : `${shared} is missing` },
  async (t) => {
    for (const path of globSync('*.md', { cwd: shared })) {
      const markdown = await wordsOf(join(shared, path));
      const word = await wordsOf(join(shared, path.replace(/md$/, 'docx')));
      const numbers = /^(?:[ivx]+|[IVX]+)$/;
      t.same(
        markdown.words.filter((one) => !numbers.test(one) && one !== 'Corrigé'),
        word.words.filter((one) => !numbers.test(one) && one !== 'Corrigé'),
        path,
      );
      // Pandoc omits raw TeX from Word files.
      t.equal(markdown.formulas.filter((latex) => !latex.startsWith('\\begin')).length, word.formulas.length, path);
    }
  },
);
