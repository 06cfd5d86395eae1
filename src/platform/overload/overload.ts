import type { MikroORM } from '@mikro-orm/postgresql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { wantsHtml } from '../http/negotiation.ts';
import type { Assets } from '../pages/assets.ts';
import type { Config } from '../settings/config.ts';
import { Admission, type Load, type LoadClass } from './admission.ts';
import { busyAnswer } from './busy-answer.ts';
import { poolWaiting, watchEventLoop } from './gauges.ts';
import { Refusals } from './refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** When it is refused, see Admission. Without it what only reads is a `page`, and what changes something is `essential`: somebody has typed it. */
    load?: LoadClass | ((request: FastifyRequest) => LoadClass);
    /**
     * What the route's work waits for. While that takes no more, a call is refused before it is read. The form of a page is read and refused by the work itself, so
     * that the page shows again what was typed.
     */
    queue?: Queue;
  }
}

/** Where work waits for its turn. */
export interface Queue {
  isFull(): boolean;
  /** Said to whoever is refused. */
  message: string;
}

interface OverloadOptions {
  config: Config;
  orm: MikroORM;
  assets: Assets;
}

/**
 * Refuses early what cannot be answered in time: before the session is looked up, with an answer that is made ahead (decision 060). Registered before all that
 * costs something, after the security headers.
 */
export const overload = fp<OverloadOptions>(
  async (app, { config, orm, assets }) => {
    if (!config.shedLoad) return;

    const loop = watchEventLoop();
    const waiting = await poolWaiting(orm);
    const underWay = new Set<FastifyRequest>();
    const load = (): Load => ({ underWay: underWay.size, waiting: waiting(), delayMs: loop.delayMs() });
    const begin = (request: FastifyRequest, reply: FastifyReply) => {
      underWay.add(request);
      reply.raw.once('close', () => underWay.delete(request));
    };
    const admission = new Admission();
    const refusals = new Refusals(app.log, load);
    let answer = busyAnswer('');
    app.addHook('onReady', async () => {
      app.exposeMetrics(...refusals.metrics);
      answer = busyAnswer(await app.view('platform/busy', { site: config.site, assets }));
    });
    const queueAnswers = new Map<Queue, typeof answer>();
    app.addHook('onRoute', ({ config: { queue } = {} }) => {
      if (queue) queueAnswers.set(queue, busyAnswer('', queue.message));
    });

    app.addHook('onRequest', (request, reply, done) => {
      const loadClass = classOf(request);
      const { queue } = request.routeOptions.config;
      if (queue?.isFull() && !wantsHtml(request)) {
        request.shed = true;
        refusals.count(loadClass, 'queue');
        (queueAnswers.get(queue) ?? answer)(request, reply);
        return;
      }
      if (loadClass === 'essential') return done();
      const reason = admission.refusal(loadClass, load(), performance.now());
      if (reason === null) {
        if (!announcesBody(request)) begin(request, reply);
        return done();
      }
      request.shed = true;
      refusals.count(loadClass, reason);
      answer(request, reply);
    });
    // A request whose body is still on its way costs nothing yet (slow-requests.ts bounds how many and how long).
    app.addHook('preValidation', (request, reply, done) => {
      if (announcesBody(request) && classOf(request) !== 'essential') begin(request, reply);
      done();
    });
    // A request is under way until it is answered, however slowly the answer is read, or until its connection is closed.
    app.addHook('onSend', async (request) => {
      underWay.delete(request);
    });
    app.addHook('onClose', async () => {
      loop.stop();
      refusals.summarise();
    });
  },
  { name: 'overload', dependencies: ['security', 'request-log'] },
);

const reads = new Set(['GET', 'HEAD']);

/** Whether the server reads a body before it answers. */
function announcesBody({ method, headers }: FastifyRequest): boolean {
  return !reads.has(method) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

function classOf(request: FastifyRequest): LoadClass {
  const { load = reads.has(request.method) ? 'page' : 'essential' } = request.routeOptions.config;
  return typeof load === 'function' ? load(request) : load;
}
