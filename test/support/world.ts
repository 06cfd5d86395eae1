import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildNotchpay } from '../../simulators/notchpay/app.ts';
import {
  createControlClient as createNotchpayClient,
  type ControlClient as NotchpayClient,
} from '../../simulators/notchpay/control-client.ts';
import { buildSimulator } from '../../simulators/zitopay/app.ts';
import { type ControlClient, createControlClient } from '../../simulators/zitopay/control-client.ts';
import { loadConfig } from '../../src/config.ts';
import { createKernel, type Kernel } from '../../src/kernel.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { TestClock } from './app.ts';
import { createDataFolder } from './data-folder.ts';
import { createTestDatabase } from './database.ts';
import { demoTemplate } from './demo.ts';
import { type StartedProcess, startProcess } from './process.ts';
import { copyPictures } from './site-files.ts';
import { asRole } from './template.ts';
import { runPrepa } from './terminal.ts';
import { siteAddress, siteEnvironment } from './topology.ts';

/** The built site as operators run it: server processes, the CLI, the payment provider's simulator, one database. */
export interface World {
  databaseUrl: string;
  /** Environment of the site's processes. */
  env: Record<string, string>;
  /** The kernel for the tests' factories and database queries. */
  kernel: Kernel;
  clock: TestClock;
  /** Controls ZitoPay's simulator. */
  simulator: ControlClient;
  /**
   * Controls Notch Pay's simulator, which sends its webhooks to the last started server. Started only when the options name this provider.
   */
  notchpay: NotchpayClient;
  /** Resolves at the next verification request to ZitoPay. */
  nextVerification(): Promise<void>;
  /** @param release the built folder of another release, to run on this release's database; by default this release */
  startServer(env?: Record<string, string>, release?: string): Promise<Server>;
  /** Runs `prepa …` from the bundle; returns its standard output. @throws Error with standard error when it fails */
  prepa(...args: string[]): Promise<string>;
}

export interface Server extends StartedProcess {
  url: string;
}

export interface WorldOptions {
  /** Copies the database with the demonstration's contents. */
  demo?: boolean;
  /** The payment providers; the first is the default. By default ZitoPay only. */
  providers?: ('zitopay' | 'notchpay')[];
  /** The simulators use `world.clock`, which the test moves; the server processes use the machine's clock. */
  simulatedTime?: boolean;
  /** Added to the environment of all its processes. */
  env?: Record<string, string>;
}

export async function createWorld(t: Test, options: WorldOptions = {}): Promise<World> {
  const demo = options.demo ? await demoTemplate() : null;
  const { url: databaseUrl } = await createTestDatabase(t, demo?.database);
  const dataDir = createDataFolder();
  const { providers = ['zitopay'] } = options;
  const clock = new TestClock();
  const time = options.simulatedTime ? { clock: () => clock.now().getTime() } : {};
  const simulator = buildSimulator(time);
  const verified = watchVerifications(simulator);
  const simulatorUrl = await simulator.listen({ host: '127.0.0.1', port: 0 });
  const notchpay = providers.includes('notchpay') ? buildNotchpay(time) : null;
  const notchpayUrl = await notchpay?.listen({ host: '127.0.0.1', port: 0 });
  const env: Record<string, string> = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    DATABASE_URL: siteAddress(asRole(databaseUrl, 'web')),
    COMMANDS_DATABASE_URL: asRole(databaseUrl, 'commands'),
    MIGRATIONS_DATABASE_URL: databaseUrl,
    ZITOPAY_BASE_URL: simulatorUrl,
    ZITOPAY_RECEIVER: 'prepa',
    // Tests decide when payments are verified.
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
    // Load shedding on a busy machine would refuse the test's requests.
    SHED_LOAD: 'off',
    ...(notchpayUrl && {
      PAYMENT_PROVIDERS: providers.join(','),
      NOTCHPAY_BASE_URL: notchpayUrl,
      NOTCHPAY_PUBLIC_KEY: 'pk_test_sim',
      NOTCHPAY_HASH_KEY: 'hsk_test_sim',
    }),
    ...siteEnvironment(databaseUrl),
    ...options.env,
  };
  const config = loadConfig({ ...env, LOG_LEVEL: 'silent' });
  if (demo) await copyPictures(demo.dataDir, config);
  const kernel = await createKernel(config, { databaseUrl: asRole(databaseUrl, 'commands'), clock });
  t.teardown(async () => {
    await kernel.close();
    await simulator.close();
    await notchpay?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const notchpayClient = createNotchpayClient(notchpayUrl ?? 'http://127.0.0.1:1');

  return {
    databaseUrl,
    env,
    kernel,
    clock,
    simulator: createControlClient(simulatorUrl),
    notchpay: notchpayClient,
    nextVerification: verified,
    async startServer(extra = {}, release = projectRoot) {
      const server = await startProcess(t, join(release, 'dist/server/server.js'), {
        env: { ...env, PORT: '0', ...extra },
        // A different folder: the server must not depend on its working directory.
        cwd: tmpdir(),
        ready: /Server listening at (http:\/\/127\.0\.0\.1:\d+)/,
      });
      const url = server.ready?.[1] ?? '';
      if (notchpayUrl) await notchpayClient.setWebhook(`${url}/api/payment/notchpay/notification`);
      return { ...server, url };
    },
    async prepa(...args) {
      const { code, out, error } = await runPrepa(args, { ...env, LOG_LEVEL: 'warn' });
      if (code !== 0) throw Object.assign(new Error(`prepa ${args.join(' ')}: ${error}`), { code, stdout: out, stderr: error });
      return out;
    },
  };
}

function watchVerifications(simulator: FastifyInstance): () => Promise<void> {
  simulator.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/api_v1')) simulator.server.emit('verification');
  });
  return async () => {
    await once(simulator.server, 'verification');
  };
}
