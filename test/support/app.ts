import { rmSync } from 'node:fs';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createKernel, type Kernel } from '../../src/kernel.ts';
import type { Clock } from '../../src/platform/use-cases/clock.ts';
import { createDataFolder } from './data-folder.ts';
import { createTestDatabase } from './database.ts';
import { askingLate } from './replication/asking-late.ts';
import { copyPictures } from './site-files.ts';
import { asRole } from './template.ts';
import { siteAddress, siteEnvironment, withoutReplicas } from './topology.ts';

/** A clock that tests set. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now = new Date()) {
    this.#now = now;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** @param ms milliseconds; negative values go back */
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

export interface TestApp {
  app: FastifyInstance;
  kernel: Kernel;
  clock: TestClock;
  databaseUrl: string;
}

interface Contents {
  /** The template database. */
  database: string;
  /** The data folder whose pictures are copied. */
  dataDir: string;
}

/**
 * Starts the application on a new database; it is closed with the test and sends no requests to providers on its own. `env` is added to its
 * environment.
 *
 * @param contents the template for database and pictures; null for an empty site
 * @param databaseHost host:port of a server between the application and its database; null for a direct connection without a replica, in
 * tests of the connection itself; by default as the topology configures it
 */
export async function createTestApp(
  t: Test,
  env: Record<string, string> | ((databaseUrl: string) => Record<string, string>) = {},
  contents: Contents | null = null,
  { databaseHost }: { databaseHost?: string | null } = {},
): Promise<TestApp> {
  const { url } = await createTestDatabase(t, contents?.database);
  const dataDir = createDataFolder();
  const clock = new TestClock();
  // Load shedding on a busy machine would refuse the test's requests.
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
    SHED_LOAD: 'off',
    ...siteEnvironment(url),
    ...(databaseHost === null && withoutReplicas),
    ...(typeof env === 'function' ? env(url) : env),
  });
  if (contents) await copyPictures(contents.dataDir, config);
  const kernel = await createKernel(config, { databaseUrl: siteAddress(asRole(url, 'web'), databaseHost), clock });
  const app = await buildApp(kernel);
  if (siteEnvironment(url).DATABASE_REPLICA_URLS) await askingLate(app, kernel, url);
  t.teardown(async () => {
    await app.close();
    await kernel.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { app, kernel, clock, databaseUrl: url };
}

/** Opens a kernel as the terminal's commands do: same database, with the commands' role, and the same clock. */
export async function openCommands(t: Test, { kernel: { config }, clock, databaseUrl }: TestApp): Promise<Kernel> {
  const kernel = await createKernel(config, { databaseUrl: asRole(databaseUrl, 'commands'), clock });
  t.teardown(() => kernel.close());
  return kernel;
}

export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** Sends a JSON request as a page of the site does. */
export function call(app: FastifyInstance, options: InjectOptions & { session?: string }): Promise<LightMyRequestResponse> {
  const { session, headers, ...rest } = options;
  return app.inject({
    ...rest,
    headers: { ...sameOrigin, accept: 'application/json', ...(session ? { cookie: session } : {}), ...headers },
  });
}

/** Posts a form as a page without JavaScript does. */
export function submit(
  app: FastifyInstance,
  url: string,
  fields: Record<string, string> | [string, string][],
  session?: string,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    headers: {
      ...sameOrigin,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      ...(session ? { cookie: session } : {}),
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Requests a page as a browser does. */
export function visit(app: FastifyInstance, url: string, session?: string): Promise<LightMyRequestResponse> {
  return app.inject({ url, headers: { accept: 'text/html', ...(session ? { cookie: session } : {}) } });
}

/** Returns the HTML without the spans that French punctuation and islands put around parts of a text. */
export const asWritten = (html: string): string => html.replaceAll(/<span(?: class="nobreak")?>([^<]*)<\/span>/g, '$1');

/** Returns the text with white space collapsed. */
export const squeeze = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
