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
    /** Adds a value to the header data of such pages. @param value returns SQL, given the SQL of the learner's id */
    readForHeader(name: string, value: (learner: string) => string): void;
    /** Returns the SQL of all header values, for `learnerSession`. */
    headerColumn(): string;
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
    const values: string[] = [];
    app.decorate('readForHeader', (name: string, value: (learner: string) => string) => {
      values.push(`'${name}', ${value('u.id')}`);
    });
    app.decorate('headerColumn', () => `json_build_object(${values.join(', ')})`);
    app.decorateRequest('earlyHeader', null);

    let find: ReturnType<typeof namedStatement<LearnerRow>> | undefined;
    app.decorate(
      'findWithHeader',
      (request: FastifyRequest): FindSession<Learner> =>
        async (em, id, now) => {
          // Built at the first use, when every module has added its values.
          find ??= namedStatement({ name: 'identity.session-with-header', text: learnerSession('$1', '$2', app.headerColumn()) });
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
  },
  { name: 'early-header' },
);
