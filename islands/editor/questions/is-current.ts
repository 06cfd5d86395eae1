import type { Decoration } from 'prosemirror-view';

/** Returns whether `currentQuestion` marked a node. */
export const isCurrent = (decorations: readonly Decoration[]): boolean => decorations.some(({ spec }) => spec.isCurrent === true);
