import { join } from './join.ts';

// What Word calls a delimiter, by its characters: how it is written beside ordinary content, and where it grows.

interface Bracket {
  readonly plain: string;
  readonly grown: string;
}

const same = (latex: string): Bracket => ({ plain: latex, grown: latex });

const OPENING: Readonly<Record<string, Bracket>> = {
  '(': same('('),
  '[': same('['),
  '{': same('\\{'),
  '|': { plain: '\\lvert', grown: '|' },
  '∣': { plain: '\\lvert', grown: '|' },
  '‖': { plain: '\\lVert', grown: '\\|' },
  '∥': { plain: '\\lVert', grown: '\\|' },
  '⟨': same('\\langle'),
  '〈': same('\\langle'),
  '<': same('\\langle'),
  '⌈': same('\\lceil'),
  '⌊': same('\\lfloor'),
  '⟦': same('\\llbracket'),
  '〚': same('\\llbracket'),
  // French intervals open with a closing bracket.
  ']': { plain: '', grown: ']' },
  ')': { plain: '', grown: ')' },
  '}': { plain: '', grown: '\\}' },
  '/': { plain: '', grown: '/' },
  '\\': { plain: '', grown: '\\backslash' },
  '↑': { plain: '', grown: '\\uparrow' },
  '↓': { plain: '', grown: '\\downarrow' },
  '⟩': { plain: '', grown: '\\rangle' },
  '⌉': { plain: '', grown: '\\rceil' },
  '⌋': { plain: '', grown: '\\rfloor' },
};

const CLOSING: Readonly<Record<string, Bracket>> = {
  ...OPENING,
  ')': same(')'),
  ']': same(']'),
  '}': same('\\}'),
  '|': { plain: '\\rvert', grown: '|' },
  '∣': { plain: '\\rvert', grown: '|' },
  '‖': { plain: '\\rVert', grown: '\\|' },
  '∥': { plain: '\\rVert', grown: '\\|' },
  '⟩': same('\\rangle'),
  '〉': same('\\rangle'),
  '>': same('\\rangle'),
  '⌉': same('\\rceil'),
  '⌋': same('\\rfloor'),
  '⟧': same('\\rrbracket'),
  '〛': same('\\rrbracket'),
  '(': { plain: '', grown: '(' },
  '[': { plain: '', grown: '[' },
  '{': { plain: '', grown: '\\{' },
  '⟨': { plain: '', grown: '\\langle' },
  '⌈': { plain: '', grown: '\\lceil' },
  '⌊': { plain: '', grown: '\\lfloor' },
};

const MATRICES: Readonly<Record<string, string>> = { '()': 'pmatrix', '[]': 'bmatrix', '{}': 'Bmatrix', '||': 'vmatrix', '‖‖': 'Vmatrix' };

/** The environment that writes these brackets around a matrix by itself. */
export const matrixWithin = (open: string, close: string): string | undefined => MATRICES[open + close];

/** `parts` between brackets; tall ones grow with what they hold. A character that is no bracket is written beside them as it is. */
export function delimited(open: string, close: string, separator: string, parts: readonly string[], isTall: boolean): string {
  const [left, right] = [open.trim(), close.trim()];
  const [opening, closing] = [left === '' ? undefined : OPENING[left], right === '' ? undefined : CLOSING[right]];
  const grows = isTall || (opening !== undefined && opening.plain === '') || (closing !== undefined && closing.plain === '');
  const [before, after] = [left !== '' && !opening ? left : '', right !== '' && !closing ? right : ''];
  if (!grows || (!opening && !closing)) {
    return join([opening?.plain ?? before, ...between(parts, separator === '|' ? '\\mid' : separator), closing?.plain ?? after]);
  }
  const middle = CLOSING[separator] && separator !== '' ? `\\middle${CLOSING[separator]?.grown}` : separator;
  return join([before, `\\left${opening?.grown ?? '.'}`, ...between(parts, middle), `\\right${closing?.grown ?? '.'}`, after]);
}

function between(parts: readonly string[], separator: string): string[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}
