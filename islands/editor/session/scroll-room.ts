/**
 * Minimum distance between the caret and the edges of the screen, in CSS pixels, for ProseMirror's props. Bars cover the top and the
 * bottom of the screen, so the distance is the style sheets' scroll padding, which the browser's own scrolling also uses.
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

/** Returns 0 for 'auto'. */
const padding = (side: 'Top' | 'Bottom'): number =>
  Number.parseFloat(getComputedStyle(document.documentElement)[`scrollPadding${side}`]) || 0;
