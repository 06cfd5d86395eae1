import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import fp from 'fastify-plugin';
import { projectRoot } from './paths.ts';

/** Addresses of what the build made, hashed; the `version` changes whenever any of them does. */
export interface Assets {
  css: string;
  loader: string;
  /** Modules that the loader imports at once. */
  preload: string[];
  version: string;
  /** The same, short, for ETags. */
  tag: string;
  /** Null in development, where Vite serves the files. */
  folder: string | null;
}

interface ManifestEntry {
  file: string;
  imports?: string[];
}

/** @throws Error when the browser bundle has not been built: better at boot than on the first page. */
export function loadAssets(folder = join(projectRoot, 'dist/client')): Assets {
  const manifestFile = join(folder, '.vite/manifest.json');
  if (!existsSync(manifestFile)) throw new Error("Le paquet du navigateur manque : lancez d'abord « npm run build ».");
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, ManifestEntry>;
  const entry = (source: string): ManifestEntry => {
    const found = manifest[source];
    if (!found) throw new Error(`${source} is missing from the bundle's manifest`);
    return found;
  };
  const loader = entry('islands/loader.ts');
  const css = entry('islands/styles/main.css');
  return {
    css: `/${css.file}`,
    loader: `/${loader.file}`,
    preload: (loader.imports ?? []).map((name) => `/${entry(name).file}`),
    version: `${css.file}|${loader.file}`,
    tag: createHash('sha1').update(`${css.file}|${loader.file}`).digest('base64url').slice(0, 8),
    folder,
  };
}

/** Hashed files never change: browsers keep them for good. Compressed at build time. */
export const assetFiles = fp<{ assets: Assets; mediaFolder: string }>(
  async (app, { assets, mediaFolder }) => {
    app.addHook('onRoute', (route) => {
      if (route.url.startsWith('/assets/') || route.url.startsWith('/media/')) route.config = { ...route.config, quiet: true };
    });
    await app.register(fastifyStatic, {
      root: mediaFolder,
      prefix: '/media/',
      index: false,
      immutable: true,
      maxAge: '365d',
      dotfiles: 'ignore',
    });
    if (!assets.folder) return;
    await app.register(fastifyStatic, {
      root: join(assets.folder, 'assets'),
      prefix: '/assets/',
      index: false,
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      decorateReply: false,
    });
    const favicon = readFileSync(join(assets.folder, 'favicon.svg'));
    app.get('/favicon.svg', { config: { quiet: true } }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=604800').type('image/svg+xml').send(favicon),
    );
  },
  { name: 'assets' },
);
