import { join } from 'node:path';
import { build } from 'vite';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/**
 * Builds modules for the browser. Keys are the paths at which the modules import each other: `{ store: 'islands/…/store.ts' }` is served at
 * /store.js.
 */
export async function browserModules(entries: Record<string, string>): Promise<Record<string, string>> {
  const built = await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(projectRoot, file)])),
        formats: ['es'],
        fileName: (_format, name) => `${name}.js`,
      },
    },
  });
  const [{ output }] = built as unknown as [{ output: { fileName: string; code: string }[] }];
  return Object.fromEntries(output.map(({ fileName, code }) => [`/${fileName}`, code]));
}
