import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { loadConfig } from '../../../src/config.ts';
import { createKernel, type Kernel } from '../../../src/kernel.ts';
import { freePort } from '../../../src/platform/processes/free-port.ts';
import type { Clock } from '../../../src/platform/use-cases/clock.ts';
import { type OwnPostgres, type Stop, startOwnPostgres } from '../own-postgres.ts';
import type { Random } from '../random.ts';
import { sql } from '../sql.ts';
import { onServer } from '../topology.ts';
import { createWorld, type Server, type World } from '../world.ts';

/** The machine's clock plus an offset set by the test. */
export class ClockAhead implements Clock {
  /** Offset in ms. */
  ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

const hour = 3_600_000;
/** Timeout of a verification in the server processes, in ms. */
const serverTimeoutMs = 1_500;
const answerWithin = 20_000;
const maxStarts = 5;

/** The site under test: server processes that are killed, a database that is restarted, and both providers' simulators. */
export class ModelSite {
  readonly world: World;
  /** Error responses while no server was down and the database was available. */
  readonly complaints: string[] = [];
  readonly #test: Test;
  readonly #postgres: OwnPostgres;
  readonly #servers: { server: Server; port: string }[] = [];
  /** Outages, in ms of the machine's clock. */
  readonly #outages: { from: number; to: number }[] = [];
  readonly counts = { kills: 0, restarts: 0, reconciliations: 0, requests: 0 };

  private constructor(test: Test, postgres: OwnPostgres, world: World) {
    this.#test = test;
    this.#postgres = postgres;
    this.world = world;
  }

  /** Opens a site with this number of server processes. Needs dist/. */
  static async open(test: Test, servers: number): Promise<ModelSite> {
    const postgres = await startOwnPostgres(test);
    const world = await onServer(postgres.url, () =>
      createWorld(test, {
        providers: ['zitopay', 'notchpay'],
        env: { PAYMENT_PROVIDER_PAUSE_MS: '100', PAYMENT_STARTS_PER_LEARNER: '1000000' },
      }),
    );
    const site = new ModelSite(test, postgres, world);
    for (let index = 0; index < servers; index += 1) {
      const port = String(await freePort());
      site.#servers.push({ port, server: await site.#startServer(port) });
    }
    return site;
  }

  #startServer(port: string): Promise<Server> {
    return this.world.startServer({
      PORT: port,
      ZITOPAY_TIMEOUT_MS: String(serverTimeoutMs),
      NOTCHPAY_TIMEOUT_MS: String(serverTimeoutMs),
    });
  }

  /** Returns the URL of a random server. */
  url(random: Random): string {
    const { server } = this.#servers[Math.floor(random() * this.#servers.length)] as { server: Server };
    return server.url;
  }

  /** Opens a kernel for another reconciliation or an operator. Closed after the test. */
  async newKernel(clock: Clock): Promise<Kernel> {
    const { databaseUrl, env } = this.world;
    const kernel = await createKernel(loadConfig({ ...env, LOG_LEVEL: 'silent' }), { databaseUrl, clock });
    this.#test.teardown(() => kernel.close());
    return kernel;
  }

  /** Kills a server with SIGKILL at any moment, and starts a new one on the same port. */
  async killServer(random: Random): Promise<void> {
    const place = this.#servers[Math.floor(random() * this.#servers.length)] as { server: Server; port: string };
    await this.#during(async () => {
      await place.server.kill9();
      // Restarts like a process supervisor: the server does not start without a database.
      for (let starts = 1; ; starts += 1) {
        const server = await this.#startServer(place.port).catch((error: unknown) => error as Error);
        if (!(server instanceof Error)) {
          place.server = server;
          return;
        }
        if (starts === maxStarts) throw server;
        await sleep(200);
      }
    });
    this.counts.kills += 1;
  }

  async restartDatabase(stop: Stop): Promise<void> {
    await this.#during(async () => {
      await this.#postgres.restart(stop);
      await sql(this.world.databaseUrl, 'select 1');
    });
    this.counts.restarts += 1;
    for (const { server } of this.#servers) {
      if (server.child.exitCode !== null) this.complaints.push(`a server ended when the database was restarted:\n${server.output()}`);
    }
  }

  /** Stops every server process with the signal. */
  async stopServers(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await Promise.all(this.#servers.map(({ server }) => server.stop(signal)));
  }

  async #during(outage: () => Promise<void>): Promise<void> {
    const entry = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#outages.push(entry);
    try {
      await outage();
    } finally {
      entry.to = Date.now();
    }
  }

  /** Returns whether there was an outage at any moment since then. */
  wasDownSince(began: number): boolean {
    return this.#outages.some(({ to }) => to >= began);
  }

  /** Waits until no outage is left. */
  async untilUp(): Promise<void> {
    while (this.#outages.some(({ to }) => to === Number.POSITIVE_INFINITY)) await sleep(20);
  }

  /** Sends a request; returns the response, or null when none came. A 502 is caused by the provider, so it is no complaint. */
  async fetch(url: string, init: RequestInit): Promise<Response | null> {
    const began = Date.now();
    this.counts.requests += 1;
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(answerWithin) });
      if (response.status >= 500 && response.status !== 502 && !this.wasDownSince(began)) {
        this.complaints.push(`${new URL(url).pathname} answered ${response.status}`);
      }
      return response;
    } catch (error) {
      if (!this.wasDownSince(began)) this.complaints.push(`${new URL(url).pathname} gave no answer: ${error}`);
      return null;
    }
  }

  /** Runs work that may fail only during an outage; returns null when it failed. */
  async despiteOutages<Result>(work: () => Promise<Result>): Promise<Result | null> {
    const began = Date.now();
    try {
      return await work();
    } catch (error) {
      if (!this.wasDownSince(began)) this.complaints.push(`${error instanceof Error ? error.stack : error}`);
      return null;
    }
  }
}

export const hours = (count: number): number => count * hour;
