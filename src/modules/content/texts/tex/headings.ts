import type { Cursor } from './cursor.ts';
import type { CommandNode, TexNode } from './nodes.ts';
import type { Section } from './numbers.ts';
import type { TexReader } from './reader.ts';

const LEVELS: Readonly<Record<string, number>> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};
const NAMES: Readonly<Record<string, string>> = { part: 'Partie', chapter: 'Chapitre' };

/** Returns the handler of a section's command. Numbers are those that TeX writes. */
export const heading =
  (name: string, mayHaveNumber = true) =>
  (reader: TexReader, cursor: Cursor, _node: CommandNode): void => {
    const isStarred = cursor.takeStar();
    while (cursor.option());
    const title = cursor.argument() ?? [];
    const level = LEVELS[name] ?? 2;
    const isNumbered = mayHaveNumber && !isStarred && level < 5 && !reader.context.isUnnumbered;
    const number = isNumbered ? reader.context.numbers.section(name as Section) : null;
    const word = NAMES[name];
    const written = number && (word ? `${word} ${number} : ` : /[.):]$/.test(number) ? `${number} ` : `${number}. `);
    addHeading(reader, title, level, written ?? '');
  };

/** Adds a heading, and behind it the blocks that do not fit into it. */
export function addHeading(reader: TexReader, title: readonly TexNode[], level: number, before = ''): void {
  const element = reader.document.createElement(`h${Math.min(6, level)}`);
  const rest = reader.inlineInto(element, title);
  reader.headingLevel = level;
  reader.endParagraph();
  if (element.childNodes.length > 0 || before !== '') {
    element.prepend(before);
    reader.container.append(element);
  }
  reader.container.append(...rest);
}
