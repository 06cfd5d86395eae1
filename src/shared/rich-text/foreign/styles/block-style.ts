import type { Alignment } from '../../block-format.ts';
import { MAX_INDENT } from '../../bounds.ts';
import { type Declarations, points, side } from '../support/css.ts';

/** Inherited format of the blocks in an element: alignment and direction, as in CSS. */
export interface BlockStyle {
  readonly align: Alignment;
  readonly dir: 'rtl' | null;
}

export const plainBlock: BlockStyle = { align: null, dir: null };

const ALIGNMENTS: Readonly<Record<string, 'left' | 'center' | 'right' | 'justify' | 'start' | 'end'>> = {
  left: 'left',
  start: 'start',
  center: 'center',
  middle: 'center',
  '-webkit-center': 'center',
  '-moz-center': 'center',
  right: 'right',
  '-webkit-right': 'right',
  end: 'end',
  justify: 'justify',
};

export function blockStyle(element: Element, tag: string, classes: readonly string[], css: Declarations, parent: BlockStyle): BlockStyle {
  const dir = directionOf(element, classes, css) ?? parent.dir;
  const ours = classes.map((name) => /^align-(left|center|right|justify)$/.exec(name)?.[1]).find(Boolean);
  if (ours) return { align: ours === 'left' && dir === null ? null : (ours as Alignment), dir };
  const named = classes.map((name) => /^ql-align-(center|right|justify)$/.exec(name)?.[1]).find(Boolean);
  // On images and tables, `align` concerns the text around them.
  const attribute = tag === 'img' || tag === 'table' ? null : element.getAttribute('align');
  const words = [named, css['text-align'], attribute, tag === 'center' ? 'center' : undefined];
  const asked = words.map((word) => ALIGNMENTS[word?.toLowerCase() ?? '']).find((known) => known !== undefined);
  if (asked === undefined) return dir === parent.dir ? parent : { align: parent.align, dir };
  const start = dir === 'rtl' ? 'right' : 'left';
  // Alignment at the start of the line is the default.
  const align =
    asked === 'center' || asked === 'justify'
      ? asked
      : asked === 'end'
        ? dir === 'rtl'
          ? 'left'
          : 'right'
        : asked === start || asked === 'start'
          ? null
          : asked;
  return align === parent.align && dir === parent.dir ? parent : { align, dir };
}

/** Returns 'rtl', or undefined to inherit the direction, also for an explicit `ltr`. */
function directionOf(element: Element, classes: readonly string[], css: Declarations): 'rtl' | null | undefined {
  const dir = (element.getAttribute('dir') ?? css.direction ?? (classes.includes('ql-direction-rtl') ? 'rtl' : '')).toLowerCase();
  return dir === 'rtl' ? 'rtl' : undefined;
}

/** Returns an element's own levels of indentation, 0 to 8. */
export function indentation(classes: readonly string[], css: Declarations, dir: 'rtl' | null): number {
  const named = classes.map((name) => /^(?:ql-)?indent-([1-8])$/.exec(name)?.[1]).find(Boolean);
  if (named) return Number(named);
  const start = dir === 'rtl' ? 'right' : 'left';
  const margin = levels(css[`margin-${start}`] ?? side(css.margin, start)) + levels(css[`padding-${start}`]);
  // A hanging indent moves the first line outwards; the position of the first line counts.
  const hanging = Math.min(0, levels(css['text-indent']));
  return Math.max(0, Math.min(MAX_INDENT, Math.round(margin + hanging)));
}

/** Returns a length in levels: 36 points (1.27 cm) each in word processors, 40 pixels on web pages. */
function levels(length: string | undefined): number {
  const size = points(length) ?? 0;
  return /px\s*$/i.test(length ?? '') ? size / 30 : size / 36;
}
