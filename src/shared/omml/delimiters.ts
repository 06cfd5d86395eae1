import { join } from './join.ts';

// LaTeX for the delimiters of Word's equations: `plain` next to ordinary content, `grown` where the bracket stretches.

interface Bracket {
  readonly plain: string;
  readonly grown: string;
}

const same = (commands: Readonly<Record<string, string>>): Record<string, Bracket> =>
  Object.fromEntries(Object.entries(commands).map(([character, latex]) => [character, { plain: latex, grown: latex }]));

/** Brackets on the opposite side, where LaTeX accepts them only as stretching delimiters. */
const reversed = (commands: Readonly<Record<string, string>>): Record<string, Bracket> =>
  Object.fromEntries(Object.entries(commands).map(([character, grown]) => [character, { plain: '', grown }]));

const bars = (side: 'l' | 'r'): Record<string, Bracket> => {
  const [one, two] = [
    { plain: `\\${side}vert`, grown: '|' },
    { plain: `\\${side}Vert`, grown: '\\|' },
  ];
  return { '|': one, '∣': one, '‖': two, '∥': two };
};

const LEFT = { '(': '(', '[': '[', '{': '\\{', '⟨': '\\langle', '⌈': '\\lceil', '⌊': '\\lfloor' };
const RIGHT = { ')': ')', ']': ']', '}': '\\}', '⟩': '\\rangle', '⌉': '\\rceil', '⌋': '\\rfloor' };

// French intervals open with a closing bracket: ]0, 1[.
const OPENING: Readonly<Record<string, Bracket>> = {
  ...bars('l'),
  ...same({ ...LEFT, '〈': '\\langle', '<': '\\langle', '⟦': '\\llbracket', '〚': '\\llbracket' }),
  ...reversed({ ...RIGHT, '/': '/', '\\': '\\backslash', '↑': '\\uparrow', '↓': '\\downarrow' }),
};

const CLOSING: Readonly<Record<string, Bracket>> = {
  ...OPENING,
  ...bars('r'),
  ...same({ ...RIGHT, '〉': '\\rangle', '>': '\\rangle', '⟧': '\\rrbracket', '〛': '\\rrbracket' }),
  ...reversed(LEFT),
};

const MATRICES: Readonly<Record<string, string>> = { '()': 'pmatrix', '[]': 'bmatrix', '{}': 'Bmatrix', '||': 'vmatrix', '‖‖': 'Vmatrix' };

/** Returns the matrix environment that draws these brackets itself; undefined if there is none. */
export const matrixWithin = (open: string, close: string): string | undefined => MATRICES[open + close];

/** Returns `parts` between brackets, which stretch if the content is tall. A character that is no bracket is written as it is. */
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
