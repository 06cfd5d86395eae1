import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Manifest } from 'vite';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

const manifest: Manifest = JSON.parse(readFileSync(join(projectRoot, 'dist/client/.vite/manifest.json'), 'utf8'));

/** Returns the files that the browser fetches together with a script of the bundle. */
function fetchedWith(name: string, found = new Set<string>()): Set<string> {
  for (const other of manifest[name]?.imports ?? []) {
    if (found.has(other)) continue;
    found.add(other);
    fetchedWith(other, found);
  }
  return found;
}

t.test('the offline scripts add no shared chunk that other pages fetch', async (t) => {
  // The room of a mock exam is kept by the same worker, and the sign-out removes it with the copies.
  const isOffline = (name: string) => /^islands\/(?:offline|exams)\//.test(name);
  const all = fetchedWith('islands/loader.ts').add('islands/loader.ts');
  // The bundler's runtime, which React's script fetches in any case.
  for (const name of Object.keys(manifest)) if (name.startsWith('_rolldown-runtime')) all.add(name);
  t.ok([...fetchedWith('islands/auth/Auth.tsx')].some((name) => name.startsWith('_rolldown-runtime')));
  const own = [...fetchedWith('islands/offline/page/pages/kept-page.ts')].filter((name) => !all.has(name));
  const others = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry && !isOffline(name));
  t.ok(others.includes('islands/study/Study.tsx'));
  for (const other of others)
    t.same(
      [...fetchedWith(other)].filter((name) => own.includes(name)),
      [],
      other,
    );
});

t.test('the script that plays a video fetches nothing but the loader', async (t) => {
  t.same(
    [...fetchedWith('islands/behaviours/play-video.ts')].filter((name) => name !== 'islands/loader.ts'),
    [],
  );
});
