import { fileURLToPath } from 'node:url';

/** A font that every server has: it lies beside the bundle, or in its package when run from source. */
export const drawingFont = 'DejaVu Sans Condensed';

/** Makes librsvg find the fonts beside this file, since a server may have none. Fonts of the system come first. */
export function provideFonts(): void {
  process.env.FONTCONFIG_FILE ??= fileURLToPath(new URL('./drawing-fonts/fonts.conf', import.meta.url));
}
