/**
 * `make try-image`: builds the container image with buildah, without a container engine or an image registry. The base image is a Debian
 * made by debootstrap, with Node and the pinned npm version in the same folders as in node:24-slim. Then starts a container with a
 * database and checks it. Needs root.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { makeBase } from './fresh-debian/root.ts';

const base = 'localhost/prepa-base';
const image = 'localhost/prepa-concours';
const port = 3999;

process.chdir(projectRoot);
const missing = ['buildah', 'debootstrap'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.log(`skipped: ${missing.length > 0 ? `${missing.join(', ')} missing (apt-get install buildah debootstrap)` : 'must be root'}`);
  process.exit(0);
}

/** buildah's weakest isolation works without namespaces and a separate network. */
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
const buildah = (...args: string[]): string =>
  execFileSync('buildah', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 }).trim();
const data = join(projectRoot, '.cache/try-image');
rmSync(data, { recursive: true, force: true });
mkdirSync(data, { recursive: true });
const containers: string[] = [];
const database = await openEmbeddedPostgres({ dataDir: join(data, 'database') });
try {
  makeNodeBase();
  buildah('build', '--format=docker', '--quiet', '--layers=false', '--build-arg', `BASE=${base}`, '--tag', image, '.');
  const sizes = [base, image].map(sizeOf);
  console.log(`built: ${mb(sizes[1] ?? 0)} MB, ${mb((sizes[1] ?? 0) - (sizes[0] ?? 0))} above its base`);

  const container = buildah('from', image);
  containers.push(container);
  const inside = (...args: string[]) => spawnSync('buildah', ['run', ...settings(), container, '--', ...args], { env, encoding: 'utf8' });
  expect('prepa speaks', inside('prepa', '--help').stdout.startsWith('Usage : prepa'));
  expect('it is not root', inside('id', '-un').stdout.trim() === 'node');
  for (const tool of ['npm', 'npx', 'corepack', 'yarn']) expect(`no ${tool}`, inside('sh', '-c', `command -v ${tool}`).status !== 0);
  const migrated = inside('prepa', 'db', 'migrate');
  expect('prepa db migrate', migrated.status === 0, migrated.stderr);
  const server = spawn('buildah', ['run', ...settings(), container, '--', 'node', 'dist/server/server.js'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  server.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    told += chunk;
  });
  try {
    expect('/readyz', await becomesReady(), told);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect('the first page', page.status === 200 && (await page.text()).includes('PrépaConcours'));
    const health = inside('node', '-e', healthCheck());
    expect('the health check of the image', health.status === 0, health.stderr);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
} finally {
  for (const container of containers) buildah('rm', container);
  await database.close();
  rmSync(data, { recursive: true, force: true });
}

/** Makes the base image in place of node:24-slim: Debian, Node and npm in /usr/local, a user with id 1000. */
function makeNodeBase(): void {
  const container = buildah('from', 'scratch');
  containers.push(container);
  const mounted = buildah('mount', container);
  execFileSync('cp', ['--archive', `${makeBase()}/.`, mounted]);
  copyFileSync('node_modules/.bin/node', join(mounted, 'usr/local/bin/node'));
  chmodSync(join(mounted, 'usr/local/bin/node'), 0o755);
  const version = /^npm_version=(\S+)$/m.exec(readFileSync('scripts/install.sh', 'utf8'))?.[1] ?? '';
  const npm = join(mounted, 'usr/local/lib');
  execFileSync('npm', [
    'install',
    '--prefix',
    npm,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `npm@${version}`,
  ]);
  execFileSync('chroot', [
    mounted,
    'sh',
    '-c',
    'useradd --create-home --uid 1000 node && for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done',
  ]);
  // An additional certificate authority, if this machine reaches the npm registry through a proxy with its own certificate.
  const { NODE_EXTRA_CA_CERTS: authority } = process.env;
  if (authority && existsSync(authority)) copyFileSync(authority, join(mounted, 'etc/ssl/certs/machine.pem'));
  buildah('umount', container);
  buildah(
    'config',
    '--env',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    ...(authority ? ['--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/machine.pem'] : []),
    container,
  );
  buildah('commit', '--quiet', container, base);
}

function settings(): string[] {
  // Production would require a public domain name; this script tests the image.
  const set = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    PORT: String(port),
    HOST: '127.0.0.1',
    ZITOPAY_RECEIVER: 'prepa',
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
  };
  return Object.entries(set).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

async function becomesReady(): Promise<boolean> {
  for (let tries = 0; tries < 150; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answered?.body?.cancel();
    if (answered?.ok) return true;
    await sleep(200);
  }
  return false;
}

/** Returns the program that HEALTHCHECK runs. */
function healthCheck(): string {
  const [, program = '""'] = /CMD \["node", "-e", (".*")\]/.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  return JSON.parse(program) as string;
}

/** Returns the size in bytes. buildah prints sizes like '103 MB'. */
function sizeOf(name: string): number {
  const [{ size }] = JSON.parse(buildah('images', '--json', name)) as [{ size: string }];
  const [, number, unit = ''] = /^([\d.]+) ([KMG])B$/.exec(size) ?? [];
  return Number(number) * ({ K: 1e3, M: 1e6, G: 1e9 }[unit] ?? 1);
}

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}

function expect(what: string, holds: boolean, detail = ''): void {
  console.log(`${holds ? 'ok    ' : 'FAILED'}  ${what}`);
  if (!holds) throw new Error(`${what} ${detail}`);
}
