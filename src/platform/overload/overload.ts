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
    /**
     * Load class, see Admission. Default: `page` for GET and HEAD, `essential` for requests that change something, since a person has typed
     * their data.
     */
    load?: LoadClass | ((request: FastifyRequest) => LoadClass);
    /**
     * Queue of the route's work. While it is full, calls are refused before their body is read. A page's form is still read and refused by
     * the work itself, so that the page can show the typed values again.
     */
    queue?: Queue;
  }
}

/** A queue of work with limited length. */
export interface Queue {
  isFull(): boolean;
  /** Message, in French, for refused requests. */
  message: string;
}

interface OverloadOptions {
  config: Config;
  orm: MikroORM;
  assets: Assets;
}

/**
 * Refuses requests that cannot be answered in time, with a response built in advance (decision 060). Must be registered after the security
 * headers and before the session look-up and every other costly hook.
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
    // A request costs nothing until its body is complete (slow-requests.ts limits the number and duration of bodies).
    app.addHook('preValidation', (request, reply, done) => {
      if (announcesBody(request) && classOf(request) !== 'essential') begin(request, reply);
      done();
    });
    // Stop counting when the response is ready, since a slow reader costs nothing; 'close' covers requests without a response.
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

/** Returns whether the request has a body that is read before the response. */
function announcesBody({ method, headers }: FastifyRequest): boolean {
  return !reads.has(method) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}

function classOf(request: FastifyRequest): LoadClass {
  const { load = reads.has(request.method) ? 'page' : 'essential' } = request.routeOptions.config;
  return typeof load === 'function' ? load(request) : load;
}
