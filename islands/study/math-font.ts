// With `font-display: optional`, the page's own text gets this font only if it is cached, so that lines do not move. Texts shown later get
// the font as soon as it is loaded.

let font: FontFace | undefined;

/** Loads the font. If the page has requested it already, the browser's cached copy is used. */
export function fetchMathFont(): void {
  if (font) return;
  const address = new URL('../../.cache/math-font/common.woff2', import.meta.url).href;
  font = new FontFace('Formules', `url("${address}")`);
  // If loading fails, formulas use a font of the device.
  font.load().catch(() => {
    font = undefined;
  });
}

/** Call when a text replaces another. */
export function drawWithMathFont(): void {
  if (font?.status === 'loaded') document.fonts.add(font);
}
