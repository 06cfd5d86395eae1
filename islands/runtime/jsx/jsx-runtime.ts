import type { ElementType, Key, ReactElement, ReactNode } from 'react';
import * as react from 'react/jsx-runtime';
import { hasFrenchMarks, splitFrenchMarks } from '../../../src/shared/french-marks.ts';

// What every .tsx is compiled to calls: React's own, with the marks of French kept on the line of their word, as templates do (src/platform/pages).

export type { JSX } from 'react/jsx-runtime';
export const { Fragment } = react;

type Props = Record<string, unknown> & { children?: ReactNode };

export const jsx = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsx(type, withMarks(type, props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key): ReactElement => react.jsxs(type, withMarks(type, props), key);

/** What browsers take as text alone. */
const plain = /^(?:option|textarea|title|code|pre)$/;

function withMarks(type: unknown, props: Props): Props {
  const { children } = props;
  if (typeof type === 'string' ? plain.test(type) : type !== Fragment) return props;
  if (Array.isArray(children)) return children.some(isMarked) ? { ...props, children: children.map(marked) } : props;
  return isMarked(children) ? { ...props, children: marked(children) } : props;
}

const isMarked = (child: unknown): child is string => typeof child === 'string' && hasFrenchMarks(child);

const marked = (child: ReactNode): ReactNode =>
  isMarked(child)
    ? splitFrenchMarks(child).map((piece, index) =>
        index % 2 === 0 ? piece : react.jsx('span', { className: 'nobreak', children: piece }, index),
      )
    : child;
