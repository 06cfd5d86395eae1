import fp from 'fastify-plugin';
import { AppError } from '../../../platform/errors.ts';
import { roleRefused } from '../accounts/identity.errors.ts';
import { type FailureLimits, recordRefusal } from '../audit/failures.service.ts';

/** Records in the audit log when an administrator requests a page that their role may not open. */
export const refusals = fp<{ journal: FailureLimits }>(
  async (app, { journal }) => {
    app.addHook('onError', async (request, _reply, error) => {
      if (!(error instanceof AppError) || error.code !== roleRefused().code || !request.administrator) return;
      const page = request.routeOptions.url ?? request.url;
      await recordRefusal(request.em, request.context, journal, request.actor, page).catch((fault: unknown) =>
        request.log.error({ err: fault }, 'a refusal could not be kept in the audit log'),
      );
    });
  },
  { name: 'administrator-refusals', dependencies: ['guards'] },
);
