import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/**
 * Unpacks the browser of @sparticuz/chromium into `.cache`, once per version, so that test files running at once never race for it.
 *
 * @returns its path, or an empty text on other systems than Linux, where an installed Chrome is used.
 */
export function unpackBrowser(): string {
  if (platform() !== 'linux') return '';
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(root, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return join(folder, 'chromium');

  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    // The package unpacks into the temporary folder, whichever that is.
    const source = `import chromium from '@sparticuz/chromium'; chromium.setGraphicsMode = false; await chromium.executablePath();`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      cwd: root,
      env: { ...process.env, TMPDIR: draft },
      encoding: 'utf8',
    });
    if (status !== 0 || !existsSync(join(draft, 'chromium'))) throw new Error(`the browser could not be unpacked\n${stderr}`);
    // A machine without fonts gets the package's; FONTCONFIG_FILE names this file.
    const folders = [join(folder, 'fonts/fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
    const list = folders.map((path) => `<dir>${path}</dir>`).join('');
    writeFileSync(join(draft, 'fonts.conf'), `<fontconfig>${list}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>\n`);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(folder, 'chromium');
}
