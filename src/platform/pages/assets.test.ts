import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { buildApp } from '../../app.ts';
import { loadAssets } from './assets.ts';

// Tests which files in this server's folders are served.
const home = await createTestApp(t, { UPLOADS: 'folder' });

/** Creates a release like the build's, with `name` in all file names. */
function release(t: Test, name: string): string {
  const manifest = {
    'islands/loader.ts': { file: `assets/loader-${name}.js`, imports: ['_shared.js'], dynamicImports: ['islands/auth/Auth.tsx'] },
    '_shared.js': { file: `assets/shared-${name}.js` },
    '_header.js': { file: `assets/header-${name}.js`, name: 'header' },
    'islands/offline/page/pages/kept-page.ts': {
      file: `assets/kept-page-${name}.js`,
      imports: ['islands/loader.ts'],
      dynamicImports: ['_later.js'],
    },
    '_later.js': { file: `assets/later-${name}.js`, css: [`assets/later-${name}.css`], imports: ['_shared.js', '_island.js'] },
    '_island.js': { file: `assets/island-${name}.js`, dynamicImports: ['_forms.js'] },
    '_forms.js': { file: `assets/forms-${name}.js` },
    'islands/auth/Auth.tsx': { file: `assets/Auth-${name}.js` },
    'islands/styles/main.css': { file: `assets/main-${name}.css`, assets: [`assets/common-${name}.woff2`] },
    'islands/styles/learner.css': { file: `assets/learner-${name}.css` },
    'islands/styles/exam.css': { file: `assets/exam-${name}.css` },
    'islands/styles/admin.css': { file: `assets/admin-${name}.css` },
  };
  const code = `console.log("${name}")${' '.repeat(2000)}`;
  return t.testdir({
    '.vite': { 'manifest.json': JSON.stringify(manifest) },
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    assets: {
      [`loader-${name}.js`]: code,
      [`loader-${name}.js.br`]: brotliCompressSync(code),
      [`shared-${name}.js`]: code,
      [`main-${name}.css`]: 'body{}',
      [`learner-${name}.css`]: '',
      [`exam-${name}.css`]: '',
    },
  });
}

t.test('pages refer to hashed files, which are immutable and compressed at build time', async (t) => {
  const app = await buildApp(home.kernel, { assets: loadAssets(release(t, 'un')) });
  t.teardown(() => app.close());
  const { body } = await visit(app, '/login');
  for (const address of ['/assets/main-un.css', '/assets/loader-un.js', '/assets/shared-un.js']) {
    t.match(body, `"${address}"`);
    const answer = await app.inject(address);
    t.equal(answer.statusCode, 200);
    t.match(answer.headers['cache-control'], /max-age=31536000.*immutable/);
    t.equal(answer.headers['content-security-policy'], "default-src 'none'; script-src 'self'", 'a static file has a minimal policy');
  }
  const packed = await app.inject({ url: '/assets/loader-un.js', headers: { 'accept-encoding': 'br, gzip' } });
  t.equal(packed.headers['content-encoding'], 'br');
  t.match(packed.headers['content-type'], 'javascript');
  const icon = await app.inject('/favicon.svg');
  t.match(icon.headers, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=604800' });
});

t.test('a prepa kept offline lists all files that its pages load, also later, and no others', async (t) => {
  t.same(loadAssets(release(t, 'un')).keptPages, [
    '/assets/common-un.woff2',
    '/assets/forms-un.js',
    '/assets/header-un.js',
    '/assets/island-un.js',
    '/assets/kept-page-un.js',
    '/assets/later-un.css',
    '/assets/later-un.js',
    '/assets/learner-un.css',
    '/assets/loader-un.js',
    '/assets/main-un.css',
    '/assets/shared-un.js',
  ]);
});

t.test('serves files of earlier releases to open tabs for 90 days', async (t) => {
  const open = async (name: string) => {
    const app = await buildApp(home.kernel, { assets: loadAssets(release(t, name)) });
    t.teardown(() => app.close());
    return app;
  };
  const stored = (name: string) => join(home.kernel.config.dataDir, 'assets', name);
  await (await open('deux')).close();
  // Files last used by a release 91 and 89 days ago.
  for (const [name, days] of [
    ['ancien.js', 91],
    ['recent.js', 89],
  ] as const) {
    writeFileSync(stored(name), 'x');
    const then = new Date(Date.now() - days * 86_400_000);
    utimesSync(stored(name), then, then);
  }
  const app = await open('trois');
  for (const [address, status] of [
    ['/assets/loader-trois.js', 200],
    ['/assets/loader-deux.js', 200],
    ['/assets/recent.js', 200],
    ['/assets/ancien.js', 404],
  ] as const) {
    t.equal((await app.inject(address)).statusCode, status, address);
  }
  t.notMatch((await visit(app, '/login')).body, 'deux', 'pages refer to the new files only');
});

t.test('starts although another process renames a file at the same time', async (t) => {
  // A dangling link is listed like a file but cannot be read, like a file that has just been renamed.
  symlinkSync('renamed', join(home.kernel.config.dataDir, 'assets', 'loader-quatre.js.1.part'));
  const app = await buildApp(home.kernel, { assets: loadAssets(release(t, 'quatre')) });
  t.teardown(() => app.close());
  t.equal((await app.inject('/assets/loader-quatre.js')).statusCode, 200);
});

t.test('nothing outside the two folders is served', async (t) => {
  writeFileSync(join(home.kernel.config.dataDir, 'media/covers', '.cache'), 'x');
  writeFileSync(join(home.kernel.config.dataDir, 'secret'), 'x');
  for (const address of [
    '/assets/../secret',
    '/assets/%2e%2e/secret',
    '/media/..%2fsecret',
    '/media/covers/..%2f..%2fsecret',
    '/media/covers/..%2fcontent',
    '/media/covers/.cache',
    '/media/',
    '/assets/',
    '/media/%00',
  ]) {
    t.ok([400, 403, 404].includes((await home.app.inject(address)).statusCode), address);
  }
});

t.test('reports a missing build', async (t) => {
  t.throws(() => loadAssets(t.testdir({})), { message: /Le paquet du navigateur manque/ });
});

t.test('reports a read-only data folder in one French line', async (t) => {
  const config = { ...home.kernel.config, dataDir: '/proc/absent' };
  await t.rejects(buildApp({ ...home.kernel, config }), { message: /^Impossible d'écrire dans le dossier de données \/proc\/absent/ });
});
