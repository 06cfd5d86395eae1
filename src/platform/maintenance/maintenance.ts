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
    /** Whether the site is closed for maintenance, as far as this process knows. */
    maintenance(): Maintenance | null;
    /** Asks the database whether it is. */
    lookForMaintenance(): Promise<void>;
    /** Asks at once, and every few seconds. Resolves once the first answer is there, or cannot be had, to what ends it. */
    watchMaintenance(): Promise<() => void>;
  }
}

interface MaintenanceOptions {
  config: Config;
  assets: Assets;
  clock: Clock;
  fork: () => EntityManager;
}

/** Between two looks, in ms: a statement a process, and none for a request. */
const lookEveryMs = 3_000;
/** Seconds after which to come back: until the end that was told, within these, and spread. */
const retryAfter = { least: 60, most: 3_600, spread: 30 };

/**
 * Answers visitors with one sentence while an operator has closed the site (`prepa maintenance`, decision 081). What comes from elsewhere only once is still taken:
 * routes that say `load: 'essential'`, providers' notifications and the way back from a payment above all; and the administration stays open.
 */
export const maintenance = fp<MaintenanceOptions>(
  async (app, { config, assets, clock, fork }) => {
    let state: Maintenance | null = null;
    let answer: ReturnType<typeof preparedAnswer> | null = null;
    /** What the answer says: an end that has passed is told no more. */
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
      // A database that is away changes nothing: what was known stays so.
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

/** Calls that both learners and administrators make are open to whoever shows an administrator's cookie: what it is worth is found out later. */
function isOpen(request: FastifyRequest): boolean {
  const { load, audience } = request.routeOptions.config;
  return (
    (typeof load === 'function' ? load(request) : load) === 'essential' ||
    audience === 'administrator' ||
    (audience === 'shared' && /adminToken=/.test(request.headers.cookie ?? ''))
  );
}
