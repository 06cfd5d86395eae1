import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildSimulator } from '../../simulators/zitopay/app.ts';
import { type ControlClient, createControlClient } from '../../simulators/zitopay/control-client.ts';
import { createKernel, type Kernel } from '../../src/kernel.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { projectRoot } from '../../src/platform/paths.ts';
import { TestClock } from './app.ts';
import { createTestDatabase } from './database.ts';
import { demoTemplate } from './demo.ts';
import { bareEnvironment, type StartedProcess, startProcess } from './process.ts';

/** The built site as operators run it: server processes, the CLI, the payment provider's simulator, one database. */
export interface World {
  databaseUrl: string;
  /** For factories and for looking at the database. */
  kernel: Kernel;
  clock: TestClock;
  simulator: ControlClient;
  /** Resolves when the provider has been asked to verify once more. */
  nextVerification(): Promise<void>;
  startServer(env?: Record<string, string>): Promise<Server>;
  /** Runs `prepa …` from the bundle; its standard output. @throws Error with standard error when it fails */
  prepa(...args: string[]): Promise<string>;
}

export interface Server extends StartedProcess {
  url: string;
}

export interface WorldOptions {
  /** With the demonstration's contents in it. */
  demo?: boolean;
}

export async function createWorld(t: Test, options: WorldOptions = {}): Promise<World> {
  const demo = options.demo ? await demoTemplate() : null;
  const { url: databaseUrl } = await createTestDatabase(t, demo?.database);
  const dataDir = mkdtempSync(join(tmpdir(), 'prepa-world-'));
  if (demo) cpSync(join(demo.dataDir, 'media'), join(dataDir, 'media'), { recursive: true });
  const simulator = buildSimulator();
  const verified = watchVerifications(simulator);
  const simulatorUrl = await simulator.listen({ host: '127.0.0.1', port: 0 });
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ZITOPAY_BASE_URL: simulatorUrl,
    ZITOPAY_RECEIVER: 'prepa',
  };
  const clock = new TestClock();
  const kernel = await createKernel(loadConfig({ ...env, LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(async () => {
    await kernel.close();
    await simulator.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  return {
    databaseUrl,
    kernel,
    clock,
    simulator: createControlClient(simulatorUrl),
    nextVerification: verified,
    async startServer(extra = {}) {
      const server = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
        env: { ...env, PORT: '0', ...extra },
        // Another folder than the project's: nothing may depend on where the server was started.
        cwd: tmpdir(),
        ready: /Server listening at (http:\/\/127\.0\.0\.1:\d+)/,
      });
      return { ...server, url: server.ready?.[1] ?? '' };
    },
    async prepa(...args) {
      const main = join(projectRoot, 'dist/cli/main.js');
      const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
        cwd: tmpdir(),
        env: { ...bareEnvironment(), ...env, LOG_LEVEL: 'warn' },
      });
      return stdout;
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
