import { isCommand } from './cursor.ts';
import type { EnvironmentNode, TexNode } from './nodes.ts';
import type { TexReader } from './reader.ts';

/** Reads a figure or a table: its pictures and blocks, and its caption with its number. */
export function float(reader: TexReader, node: EnvironmentNode): void {
  const cursor = reader.cursor(node.children);
  while (cursor.option());
  if (/^wrap|^floating/.test(node.name)) {
    cursor.group();
    while (cursor.option());
    cursor.group();
  }
  const { content, caption } = withoutCaption(
    reader,
    cursor.until(() => false),
  );
  const isTable = /table/.test(node.name);
  const { numbers } = reader.context;
  if (caption) {
    const counter = isTable ? 'table' : 'figure';
    numbers.step(counter);
    numbers.current = numbers.written(counter);
  }
  const number = numbers.current;
  const blocks = reader.document.createElement('div');
  reader.align = 'center';
  reader.blocksInto(blocks, content);
  const [only] = blocks.children;
  const named: TexNode[] = caption
    ? [{ kind: 'text', text: `${isTable ? 'Tableau' : 'Figure'} ${number} : `, at: 0, end: 0 }, ...caption]
    : [];
  reader.endParagraph();
  if (caption && blocks.children.length === 1 && only?.localName === 'figure') {
    const text = reader.document.createElement('figcaption');
    const rest = reader.inlineInto(text, named);
    only.append(text);
    reader.container.append(only, ...rest);
    return;
  }
  const place = [...blocks.children];
  if (!isTable) reader.container.append(...place);
  if (caption) {
    reader.walk([...named]);
    reader.endParagraph();
  }
  if (isTable) reader.container.append(...place);
}

/** Takes the caption out of the parts of a figure. */
function withoutCaption(reader: TexReader, nodes: readonly TexNode[]): { content: TexNode[]; caption: readonly TexNode[] | null } {
  const content: TexNode[] = [];
  let caption: readonly TexNode[] | null = null;
  const parts = reader.cursor(nodes);
  for (let node = parts.peek(); node; node = parts.peek()) {
    parts.next();
    if (!caption && isCommand(node, 'caption', 'captionof')) {
      parts.takeStar();
      if (node.name === 'captionof') parts.group();
      parts.option();
      caption = parts.argument() ?? [];
    } else content.push(node);
  }
  return { content, caption };
}
