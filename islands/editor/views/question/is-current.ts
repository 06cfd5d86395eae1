import type { Decoration } from 'prosemirror-view';

/** Returns whether the decorations mark the question around the selection (session/current-question.ts). */
export const isCurrent = (decorations: readonly Decoration[]): boolean => decorations.some(({ spec }) => spec.isCurrent === true);
