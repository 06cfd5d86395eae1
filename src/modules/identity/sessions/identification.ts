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
    /** The route looks up the session within its own statement (`readBesideSession`); no other statement does. */
    ownSession?: boolean;
  }
  interface FastifyInstance {
    /** Time after which an administrator's unused session ends, in ms. */
    administratorIdleMs: number;
    site: Config['site'];
  }
  interface FastifyRequest {
    /** Reason shown to the learner when another person or device ended the presented session; null otherwise. */
    sessionEnding: string | null;
    /** Whether the session was looked up in the database. */
    sessionRead: boolean;
  }
}

/**
 * Returns the person of the presented session. Sends the cookie again when the session was extended, and clears it when the session
 * has ended.
 */
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
    // Calls do not clear the cookie: another tab may have replaced it meanwhile, for example after a password change.
    if (!hasBearer(request) && wantsHtml(request)) transport.clear(request, reply);
    return null;
  }
  const moves = transport.isUnderPlainName(request) && wantsHtml(request);
  if ((found.extended || moves) && !hasBearer(request)) transport.send(request, reply, found.session);
  return found.person;
}

/** Returns the signed-in administrator of a request; null when there is none. */
export function identifyAdministrator(request: FastifyRequest, reply: FastifyReply) {
  const idleMs = request.server.administratorIdleMs;
  return identify(request, reply, administratorTransport, administratorSessions, { idleMs });
}

/** Returns the signed-in learner of a request. When another person or device ended the session, the reason is shown once. */
async function identifyAsLearner(request: FastifyRequest, reply: FastifyReply, find: FindSession<Learner> | undefined) {
  const learner = await identify(request, reply, learnerTransport, learnerSessions, { find });
  const token = learner ? null : learnerTransport.presented(request);
  request.isSignedIn = learner !== null;
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
 * Reads the session and the page's data in one statement based on `learnerSession`, for learners' pages with `ownSession`.
 * For other readers it returns null and replies like `requireLearner`.
 * @param read reads the session with this hash; no row when no such session is valid
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
