import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isDatabaseAway } from '../../../platform/database/database-away.ts';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Learner, LearnerRow } from '../accounts/learner.ts';
import { type FindSession, findLearnerSession, foundSession, learnerSession } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page changes nothing that its header shows: this is read in the statement that looks the learner up, and not by one of its own. */
    earlyHeader?: boolean;
  }
  interface FastifyInstance {
    /** Adds to what is read for such a header. @param value SQL over the learner's id */
    readForHeader(name: string, value: (learner: string) => string): void;
    /** SQL of all of it, for `learnerSession`. */
    headerColumn(): string;
    /** Looks a learner up and reads their header, of which a page does without what cannot be read. */
    findWithHeader(request: FastifyRequest): FindSession<Learner>;
  }
  interface FastifyRequest {
    /** What has been read for the header, by name; null when nothing has. */
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
          // Once every module has said what it reads.
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
