import { parentPort } from 'node:worker_threads';
import { hex } from 'dingbat-to-unicode';
import { convertMetafileToSvgTree, type SvgNode, svgTreeToString } from 'emf-converter';

/** Maximum number of drawing commands of one drawing, and maximum width and height of the picture, in pixels. */
const maxRecords = 100_000;
const maxSide = 4_000;

/** Result of a drawing: SVG with its size in pixels; null when it holds nothing that can be drawn. */
export type DrawnSvg = { readonly svg: string; readonly width: number; readonly height: number } | null;

/** Family of the fonts beside this file, which have all signs of symbol fonts. */
const ownFamily = 'DejaVu Sans Condensed';

const SYMBOLS = /symbol|dings|mt extra/i;

// The library prints a warning for each unknown record; they are not for the server's log.
console.warn = () => {};

// Converts one drawing after the other. This runs in a thread, since only a thread can be ended while it works.
parentPort?.on('message', (bytes: Uint8Array) => {
  convert(bytes).then(
    (drawn) => parentPort?.postMessage(drawn),
    () => parentPort?.postMessage(null),
  );
});

async function convert(bytes: Uint8Array): Promise<DrawnSvg> {
  const tree = await convertMetafileToSvgTree(Uint8Array.from(bytes).buffer, {
    maxRecords,
    maxCanvasDimension: maxSide,
    // Drawings need no exact emulation of raster operations, which keeps all pixels in memory.
    exactRasterOps: false,
    idPrefix: 'd',
  });
  if (!tree) return null;
  const [width, height] = [Number(tree.attrs.width), Number(tree.attrs.height)];
  if (!(width >= 1 && height >= 1 && width <= maxSide && height <= maxSide) || !isDrawn(tree)) return null;
  return translated(tree, '') ? { svg: svgTreeToString(tree), width, height } : null;
}

/** Returns whether a drawing holds anything but empty groups and definitions. */
const isDrawn = (node: SvgNode): boolean =>
  /^(?:path|rect|circle|ellipse|line|polyline|polygon|image|text|use)$/.test(node.tag) ||
  (node.tag !== 'defs' && (node.children ?? []).some(isDrawn));

/**
 * Replaces the characters of symbol fonts, which write α as a, by Unicode.
 * @returns false when a character has no equivalent: the drawing would say something else
 */
function translated(node: SvgNode, inherited: string): boolean {
  const family = String(node.attrs['font-family'] ?? inherited);
  if (node.text !== undefined && SYMBOLS.test(family)) {
    const font = /dings/i.test(family) ? family : 'Symbol';
    const found = /extra/i.test(family) ? [undefined] : [...node.text].map((character) => unicodeOf(font, character));
    if (found.includes(undefined)) return false;
    node.text = found.join('');
    node.attrs['font-family'] = ownFamily;
  }
  return (node.children ?? []).every((child) => translated(child, family));
}

function unicodeOf(font: string, character: string): string | undefined {
  const code = (character.codePointAt(0) ?? 0) & 0xff;
  if (code <= 0x20) return ' ';
  return hex(font, code.toString(16).toUpperCase())?.string;
}
