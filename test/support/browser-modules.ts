import { join } from 'node:path';
import { build } from 'vite';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** Modules as a browser loads them, by the paths under which they find each other: `{ store: 'islands/…/store.ts' }` is at /store.js. */
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
