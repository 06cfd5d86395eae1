import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isDatabaseAway } from '../../../platform/database/database-away.ts';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Learner, LearnerRow } from '../accounts/learner.ts';
import { type FindSession, findLearnerSession, foundSession, learnerSession } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The page changes nothing that its header shows, so the header is read in the statement that looks up the session, without an
     * additional statement.
     */
    earlyHeader?: boolean;
  }
  interface FastifyInstance {
    /** Adds a value to the header data. @param value returns SQL, given the SQL of the learner's id and of the time */
    readForHeader(name: string, value: (learner: string, now: string) => string): void;
    /** Returns the SQL of all header values, for `learnerSession`. @param now SQL of the time */
    headerColumn(now: string): string;
    /**
     * Returns the header data of the signed-in learner: those that were read with the session, else from a statement of their own. Null when
     * reading fails.
     */
    readHeader(request: FastifyRequest): Promise<LearnerRow['header']>;
    /**
     * Returns a function that looks up a session together with the header data. If reading the header data fails, the page is
     * rendered without them.
     */
    findWithHeader(request: FastifyRequest): FindSession<Learner>;
  }
  interface FastifyRequest {
    /** The header data that were read, by name; null when none were. */
    earlyHeader: LearnerRow['header'];
  }
}

export const earlyHeader = fp(
  async (app) => {
    const values: ((now: string) => string)[] = [];
    app.decorate('readForHeader', (name: string, value: (learner: string, now: string) => string) => {
      values.push((now) => `'${name}', ${value('u.id', now)}`);
    });
    app.decorate('headerColumn', (now: string) => `json_build_object(${values.map((value) => value(now)).join(', ')})`);
    app.decorateRequest('earlyHeader', null);

    let find: ReturnType<typeof namedStatement<LearnerRow>> | undefined;
    app.decorate(
      'findWithHeader',
      (request: FastifyRequest): FindSession<Learner> =>
        async (em, id, now) => {
          // Built at the first use, when every module has added its values.
          find ??= namedStatement({ name: 'identity.session-with-header', text: learnerSession('$1', '$2', app.headerColumn('$2')) });
          try {
            const [row] = await find(em, [id, now]);
            request.earlyHeader = row?.header ?? null;
            return row ? foundSession(row) : null;
          } catch (error) {
            if (isDatabaseAway(error)) throw error;
            request.log.error({ err: error }, 'the header could not be read beside the session');
            return findLearnerSession(em, id, now);
          }
        },
    );

    let readAlone: ReturnType<typeof namedStatement<Pick<LearnerRow, 'header'>>> | undefined;
    const underWay = new WeakMap<FastifyRequest, Promise<LearnerRow['header']>>();
    const read = async (request: FastifyRequest): Promise<LearnerRow['header']> => {
      if (!request.learner || request.earlyHeader) return request.earlyHeader;
      readAlone ??= namedStatement({
        name: 'identity.header',
        text: `select ${app.headerColumn('$2')} as header from app_user u where u.id = $1`,
      });
      try {
        return (await readAlone(request.em, [request.learner.id, request.context.clock.now()]))[0]?.header ?? null;
      } catch (error) {
        request.log.error({ err: error }, 'part of the header failed');
        return null;
      }
    };
    app.decorate('readHeader', (request: FastifyRequest) => {
      const reading = underWay.get(request) ?? read(request);
      underWay.set(request, reading);
      return reading;
    });
  },
  { name: 'early-header' },
);
