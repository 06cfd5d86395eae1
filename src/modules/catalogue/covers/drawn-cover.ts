import { createHash } from 'node:crypto';
import { drawingFont, provideFonts } from '../../../platform/files/drawing-fonts.ts';
import { openImage } from '../../../platform/files/image-source.ts';
import { oneAtATime } from '../../../platform/files/one-at-a-time.ts';
import { escapeMarkup } from '../../../shared/escapes.ts';
import { initials } from '../../../shared/study/cards.ts';

/** Size of a drawn cover in pixels: that of the picture from which the files of an upload are made. */
const [width, height] = [1200, 675];
/** Space around the texts: link previews cut 23 pixels at top and bottom. */
const margin = 80;

/** The brand's colours as [background, shapes]. White is readable on all of them. */
const palettes = [
  ['#be0050', '#8f003c'],
  ['#0b5fae', '#074681'],
  ['#7a1252', '#5a0b3c'],
  ['#00607a', '#00485c'],
  ['#4a2c8f', '#37206d'],
  ['#1f6b3a', '#174f2b'],
] as const;

/** Sizes of the name, from the largest, with the number of lines that fit below the initials. In pixels. */
const sizes = [
  { size: 68, lines: 3 },
  { size: 54, lines: 4 },
  { size: 44, lines: 5 },
];
/** Space between two baselines, in font sizes. */
const leading = 1.18;

/**
 * Draws a cover with the initials and the name of a prepa, as PNG of 16:9. The same name gives the same picture.
 * @param nom valid name of a prepa
 * @throws ImageError when too many pictures wait
 */
export function drawCover(nom: string): Promise<Buffer> {
  provideFonts();
  return oneAtATime(() =>
    openImage(Buffer.from(svgOf(nom)))
      .png({ palette: true, colours: 64, effort: 4 })
      .toBuffer(),
  );
}

function svgOf(nom: string): string {
  const hash = createHash('sha256').update(nom.normalize('NFC')).digest();
  const [background, shade] = palettes[at(hash, 0) % palettes.length] ?? palettes[0];
  // A short name is its own initials.
  const { size, lines } = nom === initials(nom) ? { size: 0, lines: [] } : fitted(nom);
  const first = height - margin - (lines.length - 1) * size * leading;
  const spans = lines.map(
    (line, index) =>
      `<text x="${margin}" y="${Math.round(first + index * size * leading)}" font-size="${size}">${escapeMarkup(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${background}"/>
<g fill="${shade}" color="${shade}">${shapes(hash)}</g>
<g fill="#ffffff" font-family="${drawingFont}" font-weight="bold">
<text x="${margin}" y="${margin + 130}" font-size="180">${escapeMarkup(initials(nom))}</text>
<rect x="${margin}" y="${margin + 175}" width="120" height="8"/>
${spans.join('\n')}
</g></svg>`;
}

/** Returns three circles or rings at the right side, chosen by the name. */
function shapes(hash: Buffer): string {
  return [1, 2, 3]
    .map((index) => {
      const [x, y, radius] = [
        620 + (at(hash, index) * 580) / 255,
        (at(hash, index + 3) * height) / 255,
        110 + (at(hash, index + 6) * 150) / 255,
      ];
      const circle = `cx="${Math.round(x)}" cy="${Math.round(y)}" r="${Math.round(radius)}"`;
      return at(hash, index + 9) % 2 === 0
        ? `<circle ${circle}/>`
        : `<circle ${circle} fill="none" stroke="currentColor" stroke-width="44"/>`;
    })
    .join('');
}

const at = (hash: Buffer, index: number): number => hash[index] ?? 0;

/** Returns the lines of a name at the largest size at which it fits; at the smallest, the end of a longer name is left out. */
function fitted(nom: string): { size: number; lines: string[] } {
  for (const { size, lines: most } of sizes) {
    const lines = wrapped(nom, (width - 2 * margin) / size);
    if (lines.length <= most) return { size, lines };
  }
  const { size, lines: most } = sizes.at(-1) as (typeof sizes)[number];
  const lines = wrapped(nom, (width - 2 * margin) / size - 1).slice(0, most);
  return { size, lines: lines.map((line, index) => (index === most - 1 ? `${line}…` : line)) };
}

/** Breaks a name into lines. A word that is longer than a line is divided. @param room width of a line, in font sizes */
function wrapped(nom: string, room: number): string[] {
  const lines = [''];
  for (const word of nom.split(/ (?![:;?!»])/)) {
    const last = lines.at(-1) ?? '';
    if (widthOf(`${last} ${word}`) <= room) lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(...divided(word, room));
  }
  return lines.filter((line) => line !== '');
}

function divided(word: string, room: number): string[] {
  const parts = [''];
  for (const letter of word) {
    if (widthOf(`${parts.at(-1)}${letter}`) > room) parts.push('');
    parts[parts.length - 1] += letter;
  }
  return parts;
}

/** Returns an upper bound of a text's width in the bold font, in font sizes. */
const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + widthOfLetter(letter), 0);

function widthOfLetter(letter: string): number {
  if (/[ .,;:'’|!ijlI]/.test(letter)) return 0.4;
  if (/[MWmwœæŒÆ%@—…]/.test(letter)) return 1;
  return /\p{Lu}|\p{Nd}/u.test(letter) ? 0.76 : /[\p{L}\p{M}]/u.test(letter) ? 0.66 : 1;
}
