import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { buildApp } from '../../app.ts';
import { loadAssets } from './assets.ts';

// What lies in the folders of this server, and what of them is served.
const home = await createTestApp(t, { UPLOADS: 'folder' });

/** A release as the build makes it, in which every file is called after `name`. */
function release(t: Test, name: string): string {
  const manifest = {
    'islands/loader.ts': { file: `assets/loader-${name}.js`, imports: ['_shared.js'], dynamicImports: ['islands/auth/Auth.tsx'] },
    '_shared.js': { file: `assets/shared-${name}.js` },
    '_header.js': { file: `assets/header-${name}.js`, name: 'header' },
    'islands/offline/pages/kept-page.ts': {
      file: `assets/kept-page-${name}.js`,
      imports: ['islands/loader.ts'],
      dynamicImports: ['_later.js'],
    },
    '_later.js': { file: `assets/later-${name}.js`, css: [`assets/later-${name}.css`], imports: ['_shared.js'] },
    'islands/auth/Auth.tsx': { file: `assets/Auth-${name}.js` },
    'islands/styles/main.css': { file: `assets/main-${name}.css`, assets: [`assets/common-${name}.woff2`] },
    'islands/styles/learner.css': { file: `assets/learner-${name}.css` },
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
    },
  });
}

t.test('a page names its files; hashed files are for good; compressed at build time', async (t) => {
  const app = await buildApp(home.kernel, { assets: loadAssets(release(t, 'un')) });
  t.teardown(() => app.close());
  const { body } = await visit(app, '/login');
  for (const address of ['/assets/main-un.css', '/assets/loader-un.js', '/assets/shared-un.js']) {
    t.match(body, `"${address}"`);
    const answer = await app.inject(address);
    t.equal(answer.statusCode, 200);
    t.match(answer.headers['cache-control'], /max-age=31536000.*immutable/);
    t.equal(answer.headers['content-security-policy'], "default-src 'none'; script-src 'self'", 'no page, and no room for one');
  }
  const packed = await app.inject({ url: '/assets/loader-un.js', headers: { 'accept-encoding': 'br, gzip' } });
  t.equal(packed.headers['content-encoding'], 'br');
  t.match(packed.headers['content-type'], 'javascript');
  const icon = await app.inject('/favicon.svg');
  t.match(icon.headers, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=604800' });
});

t.test('a kept prepa is kept with all that its pages fetch, also later, and with nothing else', async (t) => {
  t.same(loadAssets(release(t, 'un')).keptPages, [
    '/assets/common-un.woff2',
    '/assets/header-un.js',
    '/assets/kept-page-un.js',
    '/assets/later-un.css',
    '/assets/later-un.js',
    '/assets/learner-un.css',
    '/assets/loader-un.js',
    '/assets/main-un.css',
    '/assets/shared-un.js',
  ]);
});

t.test('tabs that are still open find the files of earlier releases, for 90 days', async (t) => {
  const open = async (name: string) => {
    const app = await buildApp(home.kernel, { assets: loadAssets(release(t, name)) });
    t.teardown(() => app.close());
    return app;
  };
  const stored = (name: string) => join(home.kernel.config.dataDir, 'assets', name);
  await (await open('deux')).close();
  // Files that no release has used for 91 days, and for 89.
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
  t.notMatch((await visit(app, '/login')).body, 'deux', 'pages name the new ones only');
});

t.test('a file that another process renames meanwhile does not keep a server from starting', async (t) => {
  // A link to nothing is listed like a file, and is not there when it is looked at.
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

t.test('without a build the server says what is missing', async (t) => {
  t.throws(() => loadAssets(t.testdir({})), { message: /Le paquet du navigateur manque/ });
});

t.test('a data folder that cannot be written to is one French line', async (t) => {
  const config = { ...home.kernel.config, dataDir: '/proc/absent' };
  await t.rejects(buildApp({ ...home.kernel, config }), { message: /^Impossible d'écrire dans le dossier de données \/proc\/absent/ });
});
