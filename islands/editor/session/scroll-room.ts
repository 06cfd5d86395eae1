/**
 * Minimum distance between the caret and the edges of the screen, in CSS pixels, for ProseMirror's props. Bars cover both ends of the
 * screen, so it is the scroll padding of the style sheets, which the browser's own scrolling uses too.
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
