import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
/** The folder from which `islands/styles/main.css` imports the fonts. */
const folder = join(import.meta.dirname, '../../.cache/math-font');

const between = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

/**
 * The characters of common formulas. MathML draws single letters with the italic alphabet from U+1D434 on. The upright letters are for sin,
 * ln, cm.
 */
const COMMON = [
  ' !%()*+,-./0123456789:;<=>?[]{|}~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz\u00a0°±·×÷¬µΓΔΘΛΞΠΣΦΨΩ',
  // Accents.
  "'¨´ˆ˙˜‾",
  between(0x1d434, 0x1d467),
  'ℎℓ',
  // Greek: alpha to omega without omicron, then ϵ ϑ ϕ.
  between(0x1d6fc, 0x1d709),
  between(0x1d70b, 0x1d717),
  '\u{1d719}',
  // Script capitals, and the number sets.
  between(0x1d49c, 0x1d4b5),
  'ℬℰℱℋℐℒℳℛℂℕℚℝℤ𝕂',
  '‖′…→←↔↦⇒⇔⇌⟶⟹⟺∀∂∃∅∇∈∉∏∑−∓∖∗∘√∝∞∥∧∨∩∪∫∼≃≈≠≡≤≥⩽⩾≪≫⊂⊆⊥⟂⋅⋮⋯⋱⌊⌋⌈⌉⟨⟩⏞⏟⊃⇐∮',
].join('');

/** Other alphabets: bold, fraktur, double-struck. */
const LETTERS = [
  between(0x1d400, 0x1d433),
  between(0x1d468, 0x1d49b),
  between(0x1d504, 0x1d550),
  'ℭℌℑℜℨℍℙ',
  between(0x1d6a8, 0x1d6e1),
  between(0x1d7ce, 0x1d7e1),
].join('');

/** The remaining characters for which LaTeX has a command. */
const SYMBOLS = [
  between(0x2190, 0x21ff),
  between(0x2200, 0x22ff),
  between(0x2308, 0x230b),
  between(0x23b0, 0x23b1),
  between(0x23dc, 0x23e1),
  between(0x27c0, 0x27ff),
  between(0x2a00, 0x2a1c),
  '§¶†‡•‰″‴‵⁗⁄ℏℵℶ℘℧Å∐⌀□■△▲▽▼◁▷◊○●★⧫⩵⪯⪰⨯⪅⪆⪇⪈',
].join('');

const MATH_FONTS = { common: COMMON, letters: LETTERS, symbols: SYMBOLS } as const;
type Part = keyof typeof MATH_FONTS;

/** Maps each character to the first file that contains it. */
function filesOfCharacters(): Map<number, Part> {
  const files = new Map<number, Part>();
  for (const [part, text] of Object.entries(MATH_FONTS) as [Part, string][])
    for (const character of text) {
      const code = character.codePointAt(0) as number;
      if (!files.has(code)) files.set(code, part);
    }
  return files;
}

/** Returns the files' characters as `unicode-range` values. A range may include characters that no file has. */
function rangesOf(files: Map<number, Part>): Record<Part, string[]> {
  const ranges: Record<Part, string[]> = { common: [], letters: [], symbols: [] };
  const codes = [...files.keys()].sort((one, other) => one - other);
  for (let first = 0, next = 1; first < codes.length; next += 1) {
    const part = files.get(codes[first] as number) as Part;
    if (next < codes.length && files.get(codes[next] as number) === part) continue;
    const [from, to] = [codes[first], codes[next - 1]].map((code) => code?.toString(16));
    ranges[part].push(`U+${from === to ? from : `${from}-${to}`}`);
    first = next;
  }
  return ranges;
}

/**
 * The `font-display` of each style sheet: `optional` where texts are read, so that lines do not move after the first paint; `swap` where
 * formulas are written.
 */
const DISPLAYS = { 'faces.css': 'optional', 'faces-when-there.css': 'swap' } as const;

function styleSheet(display: string): string {
  const ranges = rangesOf(filesOfCharacters());
  const face = (part: Part) =>
    `@font-face{font-family:"STIX Two Math";font-display:${display};src:url("./${part}.woff2")format("woff2");unicode-range:${ranges[part].join()}}\n`;
  return `/* Written by scripts/building/math-font.ts. */\n${(Object.keys(MATH_FONTS) as Part[]).map(face).join('')}`;
}

/** Scales the letters to the height of the surrounding text, like `size-adjust`, for browsers and scripts that do not support it. */
const UNITS_PER_EM = { before: 1000, after: 926 };

/**
 * Returns STIX Two Math with only these characters. HarfBuzz keeps the MATH table and the glyphs that it refers to: brackets, roots and
 * sums of every size. Licence and copyright stay in the file.
 */
async function subsetMathFont(text: string): Promise<Buffer> {
  const source = await readFile(require.resolve('@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2'));
  const options = { keepFeatures: [], preserveNameIds: [13, 14], noHinting: true };
  const font = await subsetFont(source, text, { ...options, targetFormat: 'sfnt' });
  enlarge(font);
  return subsetFont(font, text, { ...options, targetFormat: 'woff2' });
}

function enlarge(font: Buffer): void {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const head = tables.find((at) => font.toString('latin1', at, at + 4) === 'head');
  if (head === undefined) throw new Error('not a font');
  const unitsPerEm = font.readUInt32BE(head + 8) + 18;
  if (font.readUInt16BE(unitsPerEm) !== UNITS_PER_EM.before) throw new Error('the font has other units than before');
  font.writeUInt16BE(UNITS_PER_EM.after, unitsPerEm);
}

/** Vite plugin that makes the fonts before the style sheet needs them. Fonts from the same packages and characters are reused. */
export function mathFont(): Plugin {
  return {
    name: 'math-font',
    async configResolved() {
      await mkdir(folder, { recursive: true });
      for (const [name, display] of Object.entries(DISPLAYS)) await writeWhole(join(folder, name), styleSheet(display));
      const files = filesOfCharacters();
      const versions = await Promise.all(['@fontsource/stix-two-math', 'subset-font'].map(versionOf));
      for (const [part, characters] of Object.entries(MATH_FONTS)) {
        const text = [...characters].filter((character) => files.get(character.codePointAt(0) as number) === part).join('');
        const recipe = [...versions, UNITS_PER_EM.after, text].join(' ');
        const [font, made] = [join(folder, `${part}.woff2`), join(folder, `${part}.txt`)];
        if (existsSync(font) && existsSync(made) && (await readFile(made, 'utf8')) === recipe) continue;
        await writeWhole(font, await subsetMathFont(text));
        await writeWhole(made, recipe);
      }
    },
  };
}

async function versionOf(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(require.resolve(`${name}/package.json`), 'utf8')) as { version: string };
  return `${name}@${version}`;
}

/** Writes a file atomically, for builds that run at the same time. */
async function writeWhole(path: string, content: Buffer | string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, content);
  await rename(part, path);
}
