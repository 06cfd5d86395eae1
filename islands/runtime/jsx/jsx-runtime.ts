import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';
import { hasFrenchMarks, splitFrenchMarks } from '../../../src/shared/french-marks.ts';
import { hydration } from './hydration.ts';

// The JSX runtime of every .tsx file: React's, with two changes to texts (docs/decisions/089-translated-pages.md).
// 1. French punctuation stays on the line of its word, as in templates (src/platform/pages).
// 2. No text node is a sibling of an element. A browser's translator replaces text nodes, and React fails when it moves or removes a
//    text node that was replaced.

export type { JSX } from 'react/jsx-runtime';
export const { Fragment } = react;

type Props = Record<string, unknown> & { children?: ReactNode };

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsx(type, withTexts(type, props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement => {
  const own = withTexts(type, props);
  return Array.isArray(own.children) ? react.jsxs(type, own, key) : react.jsx(type, own, key);
};

/** Elements that may contain only text. */
const plain = /^(?:option|textarea|title)$/;
/** Elements whose text is not changed. */
const verbatim = /^(?:code|pre)$/;

function withTexts(type: unknown, props: Props): Props {
  if (typeof type !== 'string' && type !== Fragment) return props;
  const children = Array.isArray(props.children) ? joined(props.children) : props.children;
  const own = typeof type === 'string' ? type : '';
  if (isText(children) && own !== '' && (plain.test(own) || verbatim.test(own) || !hasFrenchMarks(`${children}`)))
    return { ...props, children, ...(hydration.translated && { suppressHydrationWarning: true }) };
  if (plain.test(own)) return props;
  return children === undefined ? props : { ...props, children: inElements(children) };
}

const isText = (child: unknown): child is string | number => (typeof child === 'string' && child !== '') || typeof child === 'number';
const isNothing = (child: unknown): boolean => child == null || typeof child === 'boolean' || child === '';

/** Joins consecutive texts into one; returns the text itself when there is no other child. Other children keep the positions that React identifies them by. */
function joined(children: ReactNode[]): ReactNode {
  const all = [...children];
  let last = -1;
  for (const [index, child] of all.entries()) {
    if (isText(child) && last >= 0) {
      all[last] = `${all[last]}${child}`;
      all[index] = null;
    } else if (isText(child)) last = index;
    else if (!isNothing(child)) last = -1;
  }
  const rest = all.filter((child) => !isNothing(child));
  return rest.length === 1 && isText(rest[0]) ? rest[0] : all;
}

/** Returns the child with each of its texts wrapped in an element. */
function inElements(child: ReactNode, key?: Key): ReactNode {
  if (Array.isArray(child)) {
    const children = joined(child);
    return Array.isArray(children) ? children.map((one, index) => inElements(one, `text${index}`)) : inElements(children, key);
  }
  if (!isText(child)) return child;
  const text = `${child}`;
  if (!hasFrenchMarks(text)) return jsx('span', { children: text }, key);
  return splitFrenchMarks(text).map((piece, index) => piece && react.jsx('span', textProps(piece, index % 2 === 1), index));
}

const textProps = (children: string, isMarked: boolean) => ({
  children,
  ...(isMarked && { className: 'nobreak' }),
  ...(hydration.translated && { suppressHydrationWarning: true }),
});
