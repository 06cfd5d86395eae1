import { MAX_LIST_START } from '../../../../shared/rich-text/bounds.ts';
import { labelAttributes } from '../../../../shared/rich-text/list-labels.ts';
import { isCommand, nameOf } from './cursor.ts';
import { counterAt, enumerateLabelling, type Labelling, labellingOf, labellingOfWritten, optionOf } from './list-label.ts';
import type { EnvironmentNode, TexNode } from './nodes.ts';
import type { TexReader } from './reader.ts';

interface Item {
  /** Label that the author wrote; null for the list's own. */
  readonly label: readonly TexNode[] | null;
  readonly content: readonly TexNode[];
  readonly isRight: boolean;
}

const ITEMS = [
  'item',
  'task',
  'question',
  'part',
  'subpart',
  'subsubpart',
  'choice',
  'CorrectChoice',
  'correctchoice',
  'bibitem',
  'titledquestion',
];
const NUMBERED = /^(?:enumerate|compactenum|asparaenum|inparaenum|tasks|questions|parts|subparts|subsubparts|choices|oneparchoices)\*?$/;
const DESCRIBED = /^(?:description|compactdesc|labeling|thebibliography)\*?$/;
/** Labels of the lists of other packages. */
const LABELS: Readonly<Record<string, Labelling>> = {
  tasks: labellingOf('a)'),
  questions: labellingOf(null),
  parts: labellingOf('(a)'),
  subparts: labellingOf('i.'),
  choices: labellingOf('A.'),
};
const BULLET =
  /^(?:[^\p{L}\p{N}\\$]*|\$?\s*\\(?:bullet|star|ast|circ|diamond|triangleright|blacktriangleright|textbullet|cdot|square|blacksquare|checkmark|Box|to|rightarrow|Rightarrow|hookrightarrow|textendash|ding\s*\{\d+\})\s*(?:\{\})?\$?)$/u;

/** Reads a list. A label that the schema cannot show becomes text. */
export function listOf(reader: TexReader, node: EnvironmentNode): void {
  const { numbers, macros } = reader.context;
  const isNumbered = NUMBERED.test(node.name);
  const counter = counterAt(reader.listDepth);
  const cursor = reader.cursor(node.children);
  const options = cursor.rawOption();
  if (/^(?:thebibliography|labeling|dinglist|trivlist)$/.test(node.name)) cursor.group();
  if (node.name === 'tasks') cursor.takeText(/^\s*\(\d+\)/);
  const asked = options === null ? null : optionOf(options, 'start');
  if (isNumbered)
    numbers.set(counter, asked ? Number(asked) - 1 || 0 : /(?:^|,)\s*resume/.test(options ?? '') ? numbers.value(`${counter} before`) : 0);
  const head = cursor.until((part) => isCommand(part, ...ITEMS));
  reader.endParagraph();
  reader.walk(head);
  reader.endParagraph();
  const items = itemsOf(
    reader,
    cursor.until(() => false),
    node.name,
  );
  if (items.length === 0) return;
  const labelling =
    LABELS[node.name] && options === null ? (LABELS[node.name] as Labelling) : enumerateLabelling(options, reader.listDepth, macros);
  if (isNumbered) reader.listDepth += 1;
  if (DESCRIBED.test(node.name)) described(reader, items, node.name === 'thebibliography');
  else if (isNumbered || items.every(({ label }) => label && !isBullet(reader, label)))
    numbered(reader, items, labelling, counter, isNumbered);
  else bulleted(reader, items);
  if (isNumbered) {
    reader.listDepth -= 1;
    numbers.set(`${counter} before`, numbers.value(counter));
  }
}

function itemsOf(reader: TexReader, nodes: readonly TexNode[], name: string): Item[] {
  const cursor = reader.cursor(nodes);
  const items: Item[] = [];
  for (let start = cursor.next(); start; start = cursor.next()) {
    const command = nameOf(start);
    cursor.takeStar();
    // Numbers of slides.
    cursor.takeText(/^\s*<[^<>]*>/);
    let label = cursor.option();
    if (command === 'bibitem') label = [{ kind: 'text', text: `[${cursor.rawGroup()}]`, at: start.at, end: start.at }];
    const content = cursor.until((part) => isCommand(part, ...ITEMS));
    const isPoints = /question|part/i.test(command) && label !== null;
    items.push({
      label: isPoints || name === 'tasks' ? null : label,
      content: isPoints ? [{ kind: 'text', text: `(${reader.plain(label ?? [])} points) `, at: 0, end: 0 }, ...content] : content,
      isRight: /^correctchoice$/i.test(command),
    });
  }
  return items;
}

const isBullet = (reader: TexReader, label: readonly TexNode[]): boolean => BULLET.test(reader.cursor([]).raw(label).trim());

function bulleted(reader: TexReader, items: readonly Item[]): void {
  const list = reader.document.createElement('ul');
  reader.block(list);
  for (const item of items) addItem(reader, list, item, item.label && !isBullet(reader, item.label) ? item.label : null);
}

function described(reader: TexReader, items: readonly Item[], isPlain: boolean): void {
  const list = reader.document.createElement('ul');
  reader.block(list);
  for (const item of items) addItem(reader, list, item, item.label, !isPlain);
}

/** Adds a numbered list, or several: a list whose counter is set within it starts again. */
function numbered(reader: TexReader, items: readonly Item[], own: Labelling, counter: string, counts: boolean): void {
  const { numbers } = reader.context;
  const written = items.map(({ label }) => (label ? reader.plain(label) : null));
  const followed = written.every((text) => text !== null) ? labellingOfWritten(written as string[]) : null;
  if (followed && counts) numbers.set(counter, followed.start - 1);
  const labelling = followed?.labelling ?? own;
  const isText = !followed && (labelling.label === undefined || written.some((text) => text !== null));
  let list: Element | null = null;
  let next = followed?.start ?? 0;
  for (const [index, item] of items.entries()) {
    const isCounted = item.label === null || followed !== null;
    const number = counts && isCounted ? numbers.step(counter) : followed ? followed.start + index : 0;
    if (!list || (!isText && number !== next)) {
      list = reader.document.createElement(isText ? 'ul' : 'ol');
      if (!isText) setLabel(list, labelling, number);
      reader.block(list);
    }
    next = number + 1;
    if (isCounted) numbers.current = labelling.written(number).replace(/^\(|[.)]+$/g, '');
    const text = isCounted ? labelling.written(number) : null;
    const label: readonly TexNode[] | null = isText ? (item.label ?? [{ kind: 'text', text: text ?? '', at: 0, end: 0 }]) : null;
    addItem(reader, list, item, label);
  }
}

function setLabel(list: Element, { label = null }: Labelling, start: number): void {
  for (const [name, value] of Object.entries(labelAttributes(label))) if (value !== undefined) list.setAttribute(name, value);
  if (start !== 1 && start >= 0 && start <= MAX_LIST_START) list.setAttribute('start', String(start));
}

function addItem(reader: TexReader, list: Element, { content, isRight }: Item, label: readonly TexNode[] | null, isStrong = false): void {
  const item = reader.document.createElement('li');
  list.append(item);
  const space: TexNode = { kind: 'text', text: ' ', at: 0, end: 0 };
  const before: TexNode[] = [];
  if (label)
    before.push(
      isStrong
        ? { kind: 'group', children: [{ kind: 'command', name: 'bfseries', at: 0, end: 0 }, ...label], at: 0, end: 0 }
        : { kind: 'group', children: label, at: 0, end: 0 },
      space,
    );
  const behind: TexNode[] = isRight ? [space, { kind: 'text', text: '✓', at: 0, end: 0 }] : [];
  reader.blocksInto(item, [...before, ...content, ...behind], reader.marks);
}
