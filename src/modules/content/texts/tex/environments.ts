import { float } from './floats.ts';
import { addHeading } from './headings.ts';
import { listOf } from './lists.ts';
import type { EnvironmentNode, TexNode } from './nodes.ts';
import type { EnvironmentHandler, TexReader } from './reader.ts';
import { quoted } from './report.ts';
import { tableOf } from './tables.ts';
import { solution, theorem, titledBlock } from './theorems.ts';

/** Reads the content of an environment as it stands, behind its arguments. */
const plain =
  (groups = 0): EnvironmentHandler =>
  (reader, node) => {
    const cursor = reader.cursor(node.children);
    reader.endParagraph();
    while (cursor.option());
    for (let count = 0; count < groups; count += 1) cursor.group();
    while (cursor.option());
    reader.scoped(cursor.until(() => false));
    reader.endParagraph();
  };

const aligned =
  (align: 'center' | 'right' | null): EnvironmentHandler =>
  (reader, node) => {
    reader.endParagraph();
    const saved = reader.align;
    reader.align = align;
    reader.scoped(node.children);
    reader.endParagraph();
    reader.align = saved;
  };

const quotation: EnvironmentHandler = (reader, node) => {
  const quote = reader.document.createElement('blockquote');
  const cursor = reader.cursor(node.children);
  cursor.option();
  reader.block(quote);
  reader.blocksInto(
    quote,
    cursor.until(() => false),
    reader.marks,
  );
};

/** A frame with a title among its options or in a group. */
const framed: EnvironmentHandler = (reader, node) => {
  const cursor = reader.cursor(node.children);
  const options = cursor.option();
  const [, title] = /(?:^|,)\s*(?:frame)?title\s*=\s*(\{(?:[^{}]|\{[^{}]*\})*\}|[^,]*)/.exec(cursor.raw(options ?? [])) ?? [];
  titledBlock(
    reader,
    title === undefined ? [] : titleIn(options ?? []),
    cursor.until(() => false),
  );
};

/** Returns the parts of a title among options: those behind `title=`, up to a comma. */
function titleIn(options: readonly TexNode[]): TexNode[] {
  const title: TexNode[] = [];
  let isInside = false;
  for (const node of options) {
    let part = node;
    if (node.kind === 'text') {
      let text = node.text;
      if (!isInside) {
        const start = /(?:^|,)\s*(?:frame)?title\s*=\s*/.exec(text);
        if (!start) continue;
        isInside = true;
        text = text.slice(start.index + start[0].length);
      }
      const end = text.indexOf(',');
      part = { ...node, text: end === -1 ? text : text.slice(0, end) };
      title.push(part);
      if (end !== -1) return title;
    } else if (isInside) title.push(part);
  }
  return title;
}

/** A slide of beamer: its title is a heading. */
const frame: EnvironmentHandler = (reader, node) => {
  const cursor = reader.cursor(node.children);
  reader.endParagraph();
  while (cursor.option());
  const title = cursor.group();
  if (title) addHeading(reader, title, 3);
  reader.scoped(cursor.until(() => false));
  reader.endParagraph();
};

const block: EnvironmentHandler = (reader, node) => {
  const cursor = reader.cursor(node.children);
  titledBlock(
    reader,
    cursor.group() ?? [],
    cursor.until(() => false),
  );
};

/** Reads an environment that is not known: what it holds stays, and its beginning is quoted. */
export function unknownEnvironment(reader: TexReader, node: EnvironmentNode): void {
  if (theorem(reader, node)) return;
  reader.endParagraph();
  reader.context.report.repeat(
    reader.lineOf(node),
    `environment ${node.name}`,
    (lines) => `Environnement inconnu \\begin{${quoted(node.name)}} (${lines}) : son texte reste, sans mise en forme.`,
  );
  reader.scoped(node.children);
  reader.endParagraph();
}

const inAll = (handler: EnvironmentHandler, names: string): [string, EnvironmentHandler][] =>
  names.split(' ').map((name) => [name, handler]);

export const textEnvironments: ReadonlyMap<string, EnvironmentHandler> = new Map([
  ...inAll(
    plain(),
    'document subequations titlepage sloppypar small footnotesize large Large normalsize samepage landscape ' +
      'refsection appendix appendices exercices exercises columns onehalfspace doublespace singlespace group em itshape bfseries frontmatter ' +
      'raggedright flushleft multicols* otherlanguage* sffamily scriptsize tiny huge Huge LARGE',
  ),
  ...inAll(plain(1), 'multicols minipage otherlanguage adjustbox column spacing subfigure subtable turn rotate changemargin'),
  ...inAll(plain(2), 'adjustwidth list'),
  ...inAll(aligned('center'), 'center Center'),
  ...inAll(aligned('right'), 'flushright'),
  ...inAll(quotation, 'quote quotation verse abstract displayquote leftbar'),
  ...inAll(framed, 'framed mdframed shaded shaded* tcolorbox boxedminipage cadre encadre encadré'),
  ...inAll(frame, 'frame'),
  ...inAll(block, 'block alertblock exampleblock'),
  ...inAll(float, 'figure table wrapfigure wraptable SCfigure floatingfigure'),
  ...inAll(tableOf, 'tabular tabularx tabulary longtable supertabular tabu longtabu array xltabular tblr NiceTabular'),
  ...inAll(
    listOf,
    'itemize enumerate description compactitem compactenum compactdesc asparaenum inparaenum inparaitem dinglist tasks questions parts ' +
      'subparts subsubparts checkboxes choices oneparcheckboxes thebibliography trivlist labeling',
  ),
  ...inAll(
    solution,
    'solution solutions sol corrige corrigé corriges correction reponse réponse reponses answer answers solutionorbox soln corrigee',
  ),
]);
