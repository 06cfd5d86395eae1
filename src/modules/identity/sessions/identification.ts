import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from '../../../platform/http/negotiation.ts';
import { type LearnerRow, learnerOfRow } from '../accounts/learner.ts';
import { hasBearer, learnerTransport, type SessionTransport } from './session-transport.ts';
import { type FindSession, learnerSessions, type Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route asks who it is within its own statement (`readBesideSession`): no other one looks the learner up. */
    ownSession?: boolean;
  }
  interface FastifyRequest {
    /** Whether the database has been asked who this is. */
    sessionRead: boolean;
  }
}

/** Who presents this kind of session. One that has just been made longer is sent anew, one that has ended is forgotten by the browser. */
export async function identify<Person>(
  request: FastifyRequest,
  reply: FastifyReply,
  transport: SessionTransport,
  sessions: Sessions<Person>,
  find?: FindSession<Person>,
): Promise<Person | null> {
  const token = transport.presented(request);
  if (!token) return null;
  const found = await sessions.read(request.em, request.context.clock, token, find);
  if (!found) {
    request.sessionExpired = true;
    // A call says it to its page: its cookie may have been replaced meanwhile, by another tab that changes the password.
    if (!hasBearer(request) && wantsHtml(request)) transport.clear(request, reply);
    return null;
  }
  if (found.extended && !hasBearer(request)) transport.send(request, reply, found.extended);
  return found.person;
}

export async function identifyLearner(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  request.sessionRead = true;
  const find = request.routeOptions.config.earlyHeader ? request.server.findWithHeader(request) : undefined;
  request.learner = await identify(request, reply, learnerTransport, learnerSessions, find);
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
  request.learner = await identify(request, reply, learnerTransport, learnerSessions, async (_em, session) => {
    answer.row = await read(session);
    request.sessionRead = true;
    request.earlyHeader = answer.row?.header ?? null;
    return answer.row && { expiresAt: answer.row.sessionEnd, person: learnerOfRow(answer.row) };
  });
  await request.server.requireLearner(request, reply);
  return request.learner && answer.row;
}
