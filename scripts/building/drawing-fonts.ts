import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const source = join(import.meta.dirname, '../../src/platform/files/drawing-fonts/fonts.conf');
const faces = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold', 'DejaVuSansCondensed-Oblique'];

/** The characters of labels: Latin with the letters of Cameroon's languages, Greek, signs of mathematics and arrows. */
const CHARACTERS = [
  [0x20, 0x2af],
  [0x391, 0x3c9],
  [0x2010, 0x2044],
  [0x2070, 0x209c],
  [0x20ac, 0x20ac],
  [0x2190, 0x21d5],
  [0x2200, 0x22c5],
  [0x25a0, 0x25cf],
]
  .map(([first = 0, last = 0]) => String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index)))
  .join('');

/** Vite plugin that puts the fonts of Windows drawings and drawn covers beside the bundles that draw them. */
export function drawingFonts(): Plugin {
  return {
    name: 'drawing-fonts',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'ssr' || environment.name === 'cli',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'drawing-fonts/fonts.conf', source: await readFile(source, 'utf8') });
      for (const face of faces) {
        const font = await readFile(require.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`));
        // Licence and copyright stay in the file.
        const subset = await subsetFont(font, CHARACTERS, {
          targetFormat: 'sfnt',
          keepFeatures: [],
          preserveNameIds: [0, 1, 2, 4, 6, 13, 14],
          noHinting: true,
        });
        this.emitFile({ type: 'asset', fileName: `drawing-fonts/${face}.ttf`, source: subset });
      }
    },
  };
}
