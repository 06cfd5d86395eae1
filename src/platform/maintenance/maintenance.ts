import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Gauge } from 'prom-client';
import { formatInstant } from '../../shared/dates.ts';
import { preparedAnswer } from '../http/prepared-answer.ts';
import type { Assets } from '../pages/assets.ts';
import type { Config } from '../settings/config.ts';
import type { Clock } from '../use-cases/clock.ts';
import { type Maintenance, readMaintenance } from './maintenance-state.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the current maintenance as this process last read it; null if the site is open. */
    maintenance(): Maintenance | null;
    /** Reads the state from the database. */
    lookForMaintenance(): Promise<void>;
    /** Reads the state now and every few seconds. Resolves after the first read, even a failed one, to a function that stops this. */
    watchMaintenance(): Promise<() => void>;
  }
}

interface MaintenanceOptions {
  config: Config;
  assets: Assets;
  clock: Clock;
  fork: () => EntityManager;
}

/** Interval of reading the state, in ms: one statement per process, and none per request. */
const lookEveryMs = 3_000;
/** Limits of Retry-After, in seconds: the time until the expected end, within these limits, plus a random part up to `spread`. */
const retryAfter = { least: 60, most: 3_600, spread: 30 };

/**
 * Sends visitors a 503 page while an operator has closed the site (`prepa maintenance`, decision 081). Routes with `load: 'essential'` stay
 * open, since their requests come only once: above all providers' notifications and returns from a payment. The administration stays open
 * too.
 */
export const maintenance = fp<MaintenanceOptions>(
  async (app, { config, assets, clock, fork }) => {
    let state: Maintenance | null = null;
    let answer: ReturnType<typeof preparedAnswer> | null = null;
    /** Content of the prepared response; an expected end that has passed is left out. */
    let said = '';

    app.decorate('maintenance', () => state);
    app.decorate('lookForMaintenance', async () => {
      const found = await readMaintenance(fork());
      const end = found?.until && found.until > clock.now() ? found.until : null;
      const saying = JSON.stringify([found, end]);
      if (saying === said) return;
      answer = found && (await prepare(found, end));
      said = saying;
      if ((found === null) !== (state === null)) app.log.warn({ maintenance: found !== null }, 'maintenance begins or ends');
      state = found;
    });
    app.decorate('watchMaintenance', async () => {
      // If the database is unreachable, the last known state stays.
      const look = () => app.lookForMaintenance().catch(() => {});
      await look();
      const timer = setInterval(look, lookEveryMs).unref();
      return () => clearInterval(timer);
    });
    app.addHook('onReady', async () => {
      app.exposeMetrics(
        new Gauge({
          name: 'prepa_maintenance',
          help: 'Whether the site is closed for maintenance: 1, or 0',
          aggregator: 'max',
          registers: [],
          collect() {
            this.set(state === null ? 0 : 1);
          },
        }),
      );
    });

    app.addHook('onRequest', (request, reply, done) => {
      if (answer === null || isOpen(request)) return done();
      request.shed = true;
      answer(request, reply);
    });

    async function prepare({ message }: Maintenance, until: Date | null) {
      const sentence = message ?? 'Le site est en maintenance pour un moment.';
      const end = until && `Retour prévu le ${formatInstant(until)}.`;
      const page = await app.view('platform/maintenance', { site: config.site, assets, said: sentence, end });
      return preparedAnswer({
        page,
        message: [sentence, end].filter(Boolean).join(' '),
        retryAfter: () => {
          const seconds = until ? (until.getTime() - clock.now().getTime()) / 1000 : 0;
          return Math.ceil(Math.min(retryAfter.most, Math.max(retryAfter.least, seconds)) + Math.random() * retryAfter.spread);
        },
      });
    }
  },
  { name: 'maintenance', dependencies: ['security', 'request-log'] },
);

/**
 * Returns whether a request is served during maintenance. Shared calls are, with an administrator's cookie; its validity is checked later.
 */
function isOpen(request: FastifyRequest): boolean {
  const { load, audience } = request.routeOptions.config;
  return (
    (typeof load === 'function' ? load(request) : load) === 'essential' ||
    audience === 'administrator' ||
    (audience === 'shared' && /adminToken=/.test(request.headers.cookie ?? ''))
  );
}
