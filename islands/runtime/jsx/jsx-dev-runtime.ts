import type { ElementType, Key } from 'react';
import { jsx, jsxs } from './jsx-runtime.ts';

// The JSX runtime that `make dev` compiles to. Same behaviour as jsx-runtime.ts.

export type { JSX } from './jsx-runtime.ts';
export { Fragment } from './jsx-runtime.ts';

export const jsxDEV = (type: ElementType, props: Parameters<typeof jsx>[1], key: Key | undefined, several: boolean) =>
  (several ? jsxs : jsx)(type, props, key);
