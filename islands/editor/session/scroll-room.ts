/**
 * How far from the edges of the screen the caret stays, in CSS pixels, as ProseMirror's props have it. Bars lie at both ends: what the style sheets give as scroll
 * padding counts, as where the browser itself scrolls.
 */
export const scrollRoom = {
  left: 0,
  right: 0,
  get top() {
    return padding('Top');
  },
  get bottom() {
    return padding('Bottom');
  },
};

/** 0 for 'auto'. */
const padding = (side: 'Top' | 'Bottom'): number =>
  Number.parseFloat(getComputedStyle(document.documentElement)[`scrollPadding${side}`]) || 0;
