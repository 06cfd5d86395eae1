import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from '../../../platform/http/negotiation.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { Learner, LearnerRow } from '../accounts/learner.ts';
import { findEnding } from './session.repository.ts';
import { sayEnding } from './session-endings.ts';
import { administratorTransport, hasBearer, learnerTransport, type SessionTransport } from './session-transport.ts';
import { administratorSessions, type FindSession, foundSession, learnerSessions, type Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route asks who it is within its own statement (`readBesideSession`): no other one looks the learner up. */
    ownSession?: boolean;
  }
  interface FastifyInstance {
    /** How long an administrator's session lasts without use, in ms. */
    administratorIdleMs: number;
    site: Config['site'];
  }
  interface FastifyRequest {
    /** What is said of the end of the learner's session that was presented, where somebody ended it; null otherwise. */
    sessionEnding: string | null;
    /** Whether the database has been asked who this is. */
    sessionRead: boolean;
  }
}

/** Who presents this kind of session. One that has just been made longer is sent anew, one that has ended is forgotten by the browser. */
async function identify<Person>(
  request: FastifyRequest,
  reply: FastifyReply,
  transport: SessionTransport,
  sessions: Sessions<Person>,
  reading?: { find?: FindSession<Person> | undefined; idleMs?: number },
): Promise<Person | null> {
  const token = transport.presented(request);
  if (!token) return null;
  const found = await sessions.read(request.em, request.context.clock, token, reading);
  if (!found) {
    request.sessionExpired = true;
    // A call says it to its page: its cookie may have been replaced meanwhile, by another tab that changes the password.
    if (!hasBearer(request) && wantsHtml(request)) transport.clear(request, reply);
    return null;
  }
  const moves = transport.isUnderPlainName(request) && wantsHtml(request);
  if ((found.extended || moves) && !hasBearer(request)) transport.send(request, reply, found.session);
  return found.person;
}

/** Who asks as an administrator. */
export function identifyAdministrator(request: FastifyRequest, reply: FastifyReply) {
  const idleMs = request.server.administratorIdleMs;
  return identify(request, reply, administratorTransport, administratorSessions, { idleMs });
}

/** Who asks as a learner. The device of a session that somebody has ended is told why, once. */
async function identifyAsLearner(request: FastifyRequest, reply: FastifyReply, find: FindSession<Learner> | undefined) {
  const learner = await identify(request, reply, learnerTransport, learnerSessions, { find });
  const token = learner ? null : learnerTransport.presented(request);
  const ending = token === null ? null : await findEnding(request.em, token);
  if (ending === null) return learner;
  request.sessionEnding = sayEnding(ending, request.server.site);
  if (!hasBearer(request) && wantsHtml(request)) reply.flash('warning', request.sessionEnding);
  return learner;
}

export async function identifyLearner(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  request.sessionRead = true;
  const find = request.routeOptions.config.earlyHeader ? request.server.findWithHeader(request) : undefined;
  request.learner = await identifyAsLearner(request, reply, find);
  return request.learner !== null;
}

/**
 * For a page of learners with `ownSession` in its configuration: reads who asks and what they ask for in one statement, which stands on `learnerSession`. Everybody
 * else is answered as by `requireLearner`: null, and the reply is on its way.
 * @param read asks for the session of this hash; no row when there is none that lasts
 */
export async function readBesideSession<Row extends LearnerRow>(
  request: FastifyRequest,
  reply: FastifyReply,
  read: (session: string) => Promise<Row | null>,
): Promise<Row | null> {
  const answer: { row: Row | null } = { row: null };
  request.learner = await identifyAsLearner(request, reply, async (_em, session) => {
    answer.row = await read(session);
    request.sessionRead = true;
    request.earlyHeader = answer.row?.header ?? null;
    return answer.row && foundSession(answer.row);
  });
  await request.server.requireLearner(request, reply);
  return request.learner && answer.row;
}
