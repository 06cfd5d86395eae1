import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import DoIUse from 'doiuse/lib/DoIUse.js';
import postcss from 'postcss';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** The oldest supported browsers (docs/decisions/057-browsers.md). */
const floor = ['chrome >= 111', 'and_chr >= 111', 'edge >= 111', 'firefox >= 121', 'safari >= 16.4', 'ios_saf >= 16.4'];

/** CSS features that some supported browsers lack, each with the effect of its absence. */
const harmless: Record<string, string> = {
  'css-at-counter-style': 'labels of lists end with a period in place of a bracket',
  'css-clip-path': 'known to all for boxes: what is partial are references to SVG',
  'css-content-visibility': 'the editor of a long text is drawn more slowly',
  'css-display-contents': 'faults of buttons and tables, on which it is not used',
  'css-marker-pseudo': 'colour and weight of list numbers alone, which all know',
  'css-masks': 'the -webkit- spelling is written beside it',
  'css-media-scripting': 'what waits for script shows although there is none',
  'css-paged-media': "margins of a printed receipt are the browser's own",
  'css-scrollbar': 'scroll bars have their usual width',
  'css-resize': 'a phone has no corner to draw a field larger by',
  'css-selection': 'selected text has the usual colours',
  'css-subgrid': "the columns of the payments' list stand in each row by themselves",
  'css-touch-action': 'Safari knows the values that are used',
  'css3-cursors': 'a finger has no pointer',
  'css3-cursors-grab': 'a finger has no pointer',
  'extended-system-fonts': 'the next font of the list is taken',
  multicolumn: 'known to all but for breaks within a column',
  'text-decoration': 'underlines have their usual place',
  'text-size-adjust': 'phones that enlarge text do so',
};

/** Returns the features of a style sheet that a supported browser lacks, one line per use. @param css the source  @param from its path */
export async function newerStyles(css: string, from: string): Promise<string[]> {
  const found: string[] = [];
  const plugin = new DoIUse({
    browsers: floor,
    ignore: Object.keys(harmless),
    onFeatureUsage: ({ message }) => found.push(message),
  });
  await postcss([plugin]).process(css, { from });
  return found;
}

/** Checks all style sheets against the supported browsers; returns the faults, or null. */
export async function checkStyles(): Promise<string | null> {
  const files = globSync('islands/**/*.css', { cwd: projectRoot }).sort();
  const found = await Promise.all(files.map((file) => newerStyles(readFileSync(join(projectRoot, file), 'utf8'), file)));
  return found.flat().join('\n') || null;
}
