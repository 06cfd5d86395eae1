import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/**
 * The text font, and the widest common fallback font of Linux desktops. The browser uses these fonts whatever is installed on the machine.
 */
const FONT_FOLDERS = ['fonts/fonts', join(projectRoot, 'node_modules/dejavu-fonts-ttf/ttf')];
const GENERIC_FONTS = { 'system-ui': 'Open Sans', 'sans-serif': 'Open Sans', serif: 'DejaVu Serif', monospace: 'DejaVu Sans Mono' };

/**
 * Unpacks the browser of @sparticuz/chromium into `.cache`, once per version, so that parallel test files do not race for it.
 *
 * @returns its path; an empty string on systems other than Linux, where an installed Chrome is used.
 */
export function unpackBrowser(): string {
  if (platform() !== 'linux') return '';
  const folder = unpack();
  // FONTCONFIG_FILE refers to this file.
  writeFileSync(join(folder, 'fonts.conf'), fontConfiguration(folder));
  return join(folder, 'chromium');
}

/** @returns the folder with the browser and the package's fonts. */
function unpack(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(projectRoot, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;

  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    // The package unpacks into the temporary folder.
    const source = `import chromium from '@sparticuz/chromium'; chromium.setGraphicsMode = false; await chromium.executablePath();`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      cwd: projectRoot,
      env: { ...process.env, TMPDIR: draft },
      encoding: 'utf8',
    });
    if (status !== 0 || !existsSync(join(draft, 'chromium'))) throw new Error(`the browser could not be unpacked\n${stderr}`);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function fontConfiguration(folder: string): string {
  const folders = FONT_FOLDERS.map((path) => `<dir>${resolve(folder, path)}</dir>`);
  const aliases = Object.entries(GENERIC_FONTS).map(
    ([family, font]) => `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  );
  return `<fontconfig>\n${[...folders, ...aliases, `<cachedir>${join(folder, 'font-cache')}</cachedir>`].join('\n')}\n</fontconfig>\n`;
}
