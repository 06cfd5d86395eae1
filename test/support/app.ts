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

/** A clock that a test moves. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now = new Date()) {
    this.#now = now;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** @param ms milliseconds; negative goes back */
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
  /** The database that its own is a copy of. */
  database: string;
  /** Whose pictures it has too. */
  dataDir: string;
}

/**
 * The whole application on a database of its own, closed with the test; it asks no provider by itself. `env` is added to the environment that it reads.
 *
 * @param contents what is in it; nothing without
 * @param databaseHost what stands between it and its database, as host:port; null: nothing, and no replica beside it, where a test is about that connection itself;
 * as the topology says without it
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
  // A busy machine must not refuse what a test asks for.
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    RECONCILE_PAYMENTS: 'off',
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

/** The same as the terminal's commands have it: on the same database with their rights, and at the same time. */
export async function openCommands(t: Test, { kernel: { config }, clock, databaseUrl }: TestApp): Promise<Kernel> {
  const kernel = await createKernel(config, { databaseUrl: asRole(databaseUrl, 'commands'), clock });
  t.teardown(() => kernel.close());
  return kernel;
}

export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** A JSON call as a page of the site makes it. */
export function call(app: FastifyInstance, options: InjectOptions & { session?: string }): Promise<LightMyRequestResponse> {
  const { session, headers, ...rest } = options;
  return app.inject({
    ...rest,
    headers: { ...sameOrigin, accept: 'application/json', ...(session ? { cookie: session } : {}), ...headers },
  });
}

/** A form posted by a page without JavaScript. */
export function submit(
  app: FastifyInstance,
  url: string,
  fields: Record<string, string>,
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

/** A page as a browser asks for it. */
export function visit(app: FastifyInstance, url: string, session?: string): Promise<LightMyRequestResponse> {
  return app.inject({ url, headers: { accept: 'text/html', ...(session ? { cookie: session } : {}) } });
}

/** Returns the HTML without the elements that French marks and islands put around parts of a text. */
export const asWritten = (html: string): string => html.replaceAll(/<span(?: class="nobreak")?>([^<]*)<\/span>/g, '$1');

/** A text as it is read: white space is one space. */
export const squeeze = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
