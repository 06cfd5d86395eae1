/**
 * Development server: Vite serves the islands with hot updates and runs the server's sources. When a server source or a template changes,
 * the application is recreated and the page reloads.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite';
import type * as appModule from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import type * as kernelModule from '../src/kernel.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { openDemo } from './serving/demo.ts';
import { siteAddress, sitePort } from './serving/ports.ts';
import { supervise } from './serving/supervisor.ts';

const ENTRY = '/@prepa/entry.js';
/** The policy forbids inline scripts, so the code that Vite and React Refresh would inline is a module loaded before the loader. */
const entrySource = `
import '/@vite/client';
import { injectIntoGlobalHook } from '/@react-refresh';
injectIntoGlobalHook(window);
window.$RefreshReg$ = () => {};
window.$RefreshSig$ = () => (type) => type;
await import('/islands/loader.ts');
`;
const assets = {
  css: '/islands/styles/main.css',
  learnerCss: '/islands/styles/learner.css',
  examCss: '/islands/styles/exam.css',
  adminCss: '/islands/styles/admin.css',
  mathFont: '/.cache/math-font/common.woff2',
  loader: ENTRY,
  preload: [],
  keptPages: [],
  version: 'dev',
  folder: null,
};

const entry: Plugin = {
  name: 'development-entry',
  resolveId: (id) => (id === ENTRY ? id : undefined),
  load: (id) => (id === ENTRY ? entrySource : undefined),
};

type App = Awaited<ReturnType<typeof appModule.buildApp>>;

await supervise(async (started) => {
  process.chdir(projectRoot);
  const config = loadConfig();
  const port = await sitePort(config.host, config.port);
  const { env, accounts } = await openDemo(config, 'cli/main.ts', siteAddress(config.host, port), started);
  Object.assign(process.env, env, { PORT: String(port), LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' });

  const http = createHttpServer();
  const vite = await createServer({
    appType: 'custom',
    plugins: [entry],
    // The embedded database writes its files all the time.
    server: { middlewareMode: true, hmr: { server: http }, watch: { ignored: ['**/{.data,.cache,.tap,dist,demo}/**'] } },
  });
  const reloading = reloadingApp(vite, String(env.DATABASE_URL));
  http.on('request', (request, response) => {
    vite.middlewares(request, response, async () => {
      try {
        (await reloading.current()).routing(request, response);
      } catch (error) {
        vite.ssrFixStacktrace(error as Error);
        console.error(error);
        response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String((error as Error).stack));
      }
    });
  });
  started.push({
    name: 'Le serveur',
    ended: new Promise(() => {}),
    kill: () => {},
    stop: async () => {
      http.close();
      http.closeAllConnections();
      await vite.close();
      await reloading.close();
    },
  });
  await new Promise<void>((resolve) => http.listen(port, config.host, resolve));
  console.log(`\nDéveloppement : http://${config.host}:${port}\n\n${accounts}\n\nCtrl-C arrête tout.`);
});

/** Returns the application, recreated when the sources change. */
function reloadingApp(vite: ViteDevServer, databaseUrl: string) {
  let current: Promise<{ app: App; close(): Promise<void> }> | undefined;

  async function open() {
    const { ssr } = vite.environments;
    if (!isRunnableDevEnvironment(ssr)) throw new Error('the ssr environment cannot run modules');
    const { createKernel } = await ssr.runner.import<typeof kernelModule>('/src/kernel.ts');
    const { buildApp } = await ssr.runner.import<typeof appModule>('/src/app.ts');
    const kernel = await createKernel(loadConfig(), { databaseUrl });
    const app = await buildApp(kernel, { assets: { ...assets, tag: Date.now().toString(36) } });
    await app.ready();
    const close = async () => {
      await app.close();
      await kernel.close();
    };
    return { app, close };
  }

  async function close() {
    const old = await current?.catch(() => undefined);
    current = undefined;
    await old?.close();
  }

  vite.watcher.on('all', (_event, path) => {
    if (!/[\\/](src|views)[\\/]/.test(path)) return;
    void close().then(() => vite.ws.send({ type: 'full-reload' }));
  });
  return {
    current: async () => {
      current ??= open();
      return (await current).app;
    },
    close,
  };
}
