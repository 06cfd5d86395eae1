// A page's own text is drawn with this font only when the browser had it before (font-display: optional), so that no line moves afterwards. The texts that
// are shown in its place have it as soon as it is there.

let font: FontFace | undefined;

/** Asks for it; where the page has asked already, this is the browser's own copy. */
export function fetchMathFont(): void {
  if (font) return;
  const address = new URL('../../.cache/math-font/common.woff2', import.meta.url).href;
  font = new FontFace('Formules', `url("${address}")`);
  // Without it formulas are drawn with what the phone has.
  font.load().catch(() => {
    font = undefined;
  });
}

/** To be called when a text takes the place of another. */
export function drawWithMathFont(): void {
  if (font?.status === 'loaded') document.fonts.add(font);
}
