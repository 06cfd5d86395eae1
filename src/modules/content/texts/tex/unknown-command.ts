import { customary } from '../macros/customary.ts';
import type { Cursor } from './cursor.ts';
import type { CommandNode } from './nodes.ts';
import type { TexReader } from './reader.ts';
import { quoted } from './report.ts';

/** Reads a command that is not known: its arguments stay as text, and it is quoted. A customary sign becomes a formula. */
export function unknownCommand(reader: TexReader, cursor: Cursor, { name, at }: CommandNode): void {
  const { formulas, hidden, report } = reader.context;
  const line = reader.lineOf({ at });
  const macro = customary.get(`\\${name}`);
  if (macro?.count === 0 && macro.body !== '') {
    const source = `\\${name}`;
    reader.inline(formulas.add(reader.document, source, false, { line, source }));
    return;
  }
  const group = cursor.peek();
  const shown = group?.kind === 'group' ? quoted(`\\${name}{${cursor.raw(group.children)}}`) : `\\${name}`;
  report.repeat(
    line,
    `command ${name}`,
    (lines) => `Commande inconnue ${hidden.revealed(shown)} (${lines}) : le texte qui suit reste tel quel.`,
  );
}
