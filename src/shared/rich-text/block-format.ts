import type { Attrs } from 'prosemirror-model';
import { MAX_INDENT } from './bounds.ts';
import { only } from './rules.ts';

/** Format of blocks: alignment and indentation as classes of a fixed scale, direction as the HTML attribute. */

export const alignments = ['left', 'center', 'right', 'justify'] as const;
/** Null: at the start of the line. 'left' is only used where lines start at the right. */
export type Alignment = (typeof alignments)[number] | null;

const isAlignment = (value: unknown): value is Alignment => value === null || alignments.includes(value as (typeof alignments)[number]);
const isIndent = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_INDENT;
const isDirection = (value: unknown): boolean => value === null || value === 'rtl';

export const directionAttr = { dir: { default: null, validate: only('dir', isDirection) } };
/** Attributes of paragraphs and headings. `indent` is a level from 0 to 8. */
export const formatAttrs = {
  align: { default: null, validate: only('align', isAlignment) },
  indent: { default: 0, validate: only('indent', isIndent) },
  ...directionAttr,
};

export const readDirection = (element: Element) => ({ dir: element.getAttribute('dir') === 'rtl' ? 'rtl' : null });

export function readFormat(element: Element) {
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  const { dir } = readDirection(element);
  const named = classes.map((name) => /^align-(.+)$/.exec(name)?.[1]).find((value) => value !== undefined && isAlignment(value)) ?? null;
  const align = named === 'left' && dir === null ? null : named;
  const indent = classes.map((name) => Number(/^indent-(\d)$/.exec(name)?.[1] ?? 0)).find((level) => level > 0 && isIndent(level)) ?? 0;
  return { align, indent, dir };
}

/** Returns the HTML attributes of a block's format, without defaults. */
export function formatAttributes({ align, indent, dir }: Attrs): { class?: string; dir?: string } {
  const said = align === 'left' && !dir ? null : align;
  const classes = [said && `align-${said}`, indent > 0 && `indent-${indent}`].filter(Boolean).join(' ');
  return { ...(classes && { class: classes }), ...(dir && { dir }) };
}
