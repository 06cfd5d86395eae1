import type { Macro } from './macro.ts';

const plain = (body: string): Macro => ({ count: 0, initial: null, body });
const ofOne = (body: string): Macro => ({ count: 1, initial: null, body });
const ofTwo = (body: string): Macro => ({ count: 2, initial: null, body });

const SETS = 'R N Z Q C K'.split(' ');
/** Names of functions that French courses write and LaTeX does not know. */
const FUNCTIONS = (
  'pgcd ppcm PGCD PPCM ch sh th coth cotan argch argsh argth Argch Argsh Argth Arcsin Arccos Arctan Arccotan arccotan ' +
  'Arcch Arcsh Arcth Card card Ker Vect rg Rg Mat Id'
).split(' ');
const UPRIGHT: Readonly<Record<string, string>> = { dd: 'd', ee: 'e', ii: 'i', jj: 'j' };

/** Commands that French courses use without defining them, by name: those of their usual packages, and customary short forms. */
export const customary: ReadonlyMap<string, Macro> = new Map([
  ...SETS.map((set): [string, Macro] => [`\\${set}`, plain(`\\mathbb{${set}}`)]),
  ...FUNCTIONS.map((name): [string, Macro] => [`\\${name}`, plain(`\\operatorname{${name}}`)]),
  ...Object.entries(UPRIGHT).map(([name, letter]): [string, Macro] => [`\\${name}`, plain(`\\mathrm{${letter}}`)]),
  ['\\ds', plain('\\displaystyle')],
  ['\\ssi', plain('\\Leftrightarrow')],
  ['\\xspace', plain('')],
  ['\\ensuremath', ofOne('#1')],
  // How other converters write a space: `\mspace{6mu}`.
  ['\\mspace', ofOne('\\mskip#1')],
  ['\\mathds', ofOne('\\mathbb{#1}')],
  ['\\vect', ofOne('\\overrightarrow{#1}')],
  ['\\vv', ofOne('\\overrightarrow{#1}')],
  ['\\norme', ofOne('\\left\\lVert #1\\right\\rVert')],
  ['\\intervalleff', ofTwo('\\left[#1\\,;#2\\right]')],
  ['\\intervalleoo', ofTwo('\\left]#1\\,;#2\\right[')],
  ['\\intervalleof', ofTwo('\\left]#1\\,;#2\\right]')],
  ['\\intervallefo', ofTwo('\\left[#1\\,;#2\\right[')],
]);
