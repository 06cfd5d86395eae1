import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import fp from 'fastify-plugin';
import type { Manifest } from 'vite';
import { notFound } from '../errors.ts';
import { isDiskFull } from '../files/disk-full.ts';
import { sendStored } from '../files/served-file.ts';
import { documentsFolder, type FileStore, removeAbandoned } from '../files/storage.ts';
import { openDataFolder } from '../settings/data-folder.ts';
import { projectRoot } from '../settings/project-root.ts';

/** Hashed addresses of the build's files. */
export interface Assets {
  css: string;
  /** Added on learners' pages, except the study page. */
  learnerCss: string;
  /** Added on the pages of mock exams. */
  examCss: string;
  adminCss: string;
  /** Font of most formulas. */
  mathFont: string;
  loader: string;
  /** Modules that the loader imports at once. */
  preload: string[];
  /** All files that the pages of a prepa kept offline need; they are fetched when it is saved. */
  keptPages: string[];
  version: string;
  /** A short hash of `version`, for ETags. */
  tag: string;
  /** Null in development, where Vite serves the files. */
  folder: string | null;
}

/** Reads the build's manifest. @throws Error when the browser bundle has not been built, so that the server does not start without it */
export function loadAssets(folder = join(projectRoot, 'dist/client')): Assets {
  const manifestFile = join(folder, '.vite/manifest.json');
  if (!existsSync(manifestFile)) throw new Error("Le paquet du navigateur manque : lancez d'abord « npm run build ».");
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  const entry = (source: string) => {
    const found = manifest[source];
    if (!found) throw new Error(`${source} is missing from the bundle's manifest`);
    return found;
  };
  const loader = entry('islands/loader.ts');
  const css = entry('islands/styles/main.css');
  const learnerCss = entry('islands/styles/learner.css');
  const examCss = entry('islands/styles/exam.css');
  const mathFont = css.assets?.find((file) => /common-[^/]+\.woff2$/.test(file));
  if (!mathFont) throw new Error('the font of formulas is missing from the bundle');
  const version = `${css.file}|${learnerCss.file}|${examCss.file}|${loader.file}`;
  const adminCss = entry('islands/styles/admin.css');
  return {
    css: `/${css.file}`,
    learnerCss: `/${learnerCss.file}`,
    examCss: `/${examCss.file}`,
    adminCss: `/${adminCss.file}`,
    mathFont: `/${mathFont}`,
    loader: `/${loader.file}`,
    preload: (loader.imports ?? []).map((name) => `/${entry(name).file}`),
    keptPages: filesOfKeptPages(manifest),
    version,
    tag: createHash('sha1').update(version).digest('base64url').slice(0, 8),
    folder,
  };
}

/** Entry files of the frame and the pages of a prepa kept offline; the loader's other scripts each belong to one page. */
const keptSources = ['islands/loader.ts', 'islands/styles/main.css', 'islands/styles/learner.css'];
/** Name that vite.config.ts gives to the scripts of the learner's header. */
const headerChunk = 'header';
/** Entry of the pages of a kept prepa; the files that it and its imports load later are needed too. */
const keptPageSource = 'islands/offline/page/pages/kept-page.ts';

function filesOfKeptPages(manifest: Manifest): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string, withLater: boolean): void => {
    const found = manifest[name];
    if (!found) throw new Error(`${name} is missing from the bundle's manifest`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [found.file, ...(found.css ?? []), ...(found.assets ?? [])]) files.add(`/${file}`);
    for (const other of found.imports ?? []) add(other, withLater);
    if (withLater) for (const other of found.dynamicImports ?? []) add(other, true);
  };
  for (const source of keptSources) add(source, false);
  for (const [key, { name }] of Object.entries(manifest)) if (name === headerChunk) add(key, false);
  add(keptPageSource, true);
  return [...files].sort();
}

/** How long files of earlier releases are kept for open tabs, in days. */
const keepDays = 90;

/**
 * Copies this release's files to those of earlier releases, which open tabs still request, and deletes files that no release has used for
 * 90 days. Returns the folder that holds them all.
 */
async function keepReleases(release: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const current = await readdir(release);
  const now = new Date();
  await Promise.all(
    current.map(async (name) => {
      const target = join(folder, name);
      if (!existsSync(target)) {
        // Copy, then rename: another process that starts at the same time never sees an unfinished file.
        const part = `${target}.${randomUUID()}.part`;
        try {
          await copyFile(join(release, name), part);
          await rename(part, target);
        } catch (error) {
          await rm(part, { force: true });
          throw error;
        }
      }
      await utimes(target, now, now);
    }),
  );
  const limit = now.getTime() - keepDays * 86_400_000;
  const earlier = (await readdir(folder)).filter((name) => !current.includes(name));
  await Promise.all(
    earlier.map(async (name) => {
      const found = await stat(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        // Another starting process has renamed or removed the file.
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (found && found.mtimeMs < limit) await rm(join(folder, name), { force: true });
    }),
  );
  return folder;
}

const coverName = /^[\w-]+\.\w+$/;

/** Serves hashed files, compressed at build time. They never change, so browsers cache them without limit. */
export const assetFiles = fp<{ assets: Assets; dataDir: string; media: FileStore }>(
  async (app, { assets, dataDir, media }) => {
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/assets/') || route.url.startsWith('/media/covers/'))
        route.config = { ...route.config, quiet: true, anonymous: true, load: 'essential' };
    });
    const immutable = { index: false, immutable: true, maxAge: '365d' } as const;
    // Pictures in texts need permission: the content module serves them.
    if ('folder' in media.source) {
      const mediaFolder = await openDataFolder(join(dataDir, 'media'));
      const covers = await openDataFolder(join(dataDir, 'media/covers'));
      await Promise.all([mediaFolder, documentsFolder(dataDir)].map(removeAbandoned));
      await app.register(fastifyStatic, { ...immutable, root: resolve(covers), prefix: '/media/covers/', dotfiles: 'ignore' });
    } else {
      await openDataFolder(dataDir);
      app.get('/media/covers/*', async (request, reply) => {
        const { '*': name } = request.params as { '*': string };
        if (!coverName.test(name)) throw notFound();
        return sendStored(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), media, `covers/${name}`);
      });
    }
    if (!assets.folder) return;
    const release = resolve(assets.folder, 'assets');
    const kept = resolve(dataDir, 'assets');
    const root = await keepReleases(release, kept).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error;
      app.log.error({ alert: 'disk-full', err: error }, 'no place for a copy of the assets: served from the release itself');
      return [release, kept];
    });
    await app.register(fastifyStatic, {
      ...immutable,
      root,
      prefix: '/assets/',
      preCompressed: true,
      decorateReply: false,
      // Fewer headers for a dozen files per page: immutable files need no validators or ranges.
      // The page's policy has no effect on files, but a worker's script needs this one.
      etag: false,
      lastModified: false,
      acceptRanges: false,
      setHeaders: (reply) => reply.header('content-security-policy', "default-src 'none'; script-src 'self'"),
    });
    const favicon = readFileSync(join(assets.folder, 'favicon.svg'));
    app.get('/favicon.svg', { config: { quiet: true, anonymous: true, load: 'essential' } }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=604800').type('image/svg+xml; charset=utf-8').send(favicon),
    );
  },
  { name: 'assets' },
);
