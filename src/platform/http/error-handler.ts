import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { FieldError } from '../../shared/forms/field-errors.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { AppError, invalidRequest, notFound } from '../errors.ts';
import { isDiskFull } from '../files/disk-full.ts';
import { isStoreAway } from '../files/store-fault.ts';
import { leadOn, pagesOf } from './mistyped-address.ts';
import { wantsHtml } from './negotiation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Address of the parent page, with this page's route parameters (`:id`); the error page links to it when the page could not be read.
     */
    back?: string;
  }
}

const headings: Record<number, string> = {
  400: 'Requête invalide',
  401: 'Connexion nécessaire',
  403: 'Accès refusé',
  404: 'Page introuvable',
  409: 'Conflit',
  413: 'Envoi trop volumineux',
  415: 'Format non pris en charge',
  416: 'Partie introuvable',
  429: 'Trop de tentatives',
  503: 'Service momentanément indisponible',
  507: 'Plus de place sur le serveur',
};

declare module '../pages/views.ts' {
  interface PageLocals {
    'platform/error': ReturnType<typeof presentError>;
  }
}

/** Turns every thrown error into a response: HTML for pages, `{ message, errors?, imageError?, expired? }` for programs. */
export const errorHandler = fp(
  async (app) => {
    let pages: ReturnType<typeof pagesOf> = [];
    app.addHook('onReady', async () => {
      pages = pagesOf(app);
    });
    app.setErrorHandler(async (thrown: FastifyError | Error, request, reply) => {
      // An address /a/B may match a route /a/:parameter although the page /a/b exists.
      if ('validationContext' in thrown && thrown.validationContext === 'params' && leadOn(pages, request, reply)) return reply;
      const error = toAppError(thrown, request);
      // A 503 with Retry-After is an intended refusal, not a failure; logging each would add load.
      const isRefusal = error === thrown && error.retryAfter !== undefined;
      if (error.status >= 500 && !isRefusal)
        request.log.error({ ...(isDiskFull(thrown) && { alert: 'disk-full' }), err: thrown }, 'request failed');
      else if (error !== thrown) request.log.debug({ code: error.code }, 'request refused');
      return sendError(error, request, reply);
    });
    app.setNotFoundHandler(async (request, reply) => (leadOn(pages, request, reply) ? reply : sendError(notFound(), request, reply)));
  },
  { name: 'error-handler', dependencies: ['route-table', 'views'] },
);

async function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(error.status).header('cache-control', 'no-store');
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
  if (!wantsHtml(request)) {
    // The page whose script made this call now goes to the sign-in page, which shows this message.
    if (error.expired || error.code === 'SESSION.MISSING') reply.flash('warning', error.message);
    return reply.send({
      message: error.message,
      ...(error.errors ? { errors: error.errors } : {}),
      ...(error.imageError === undefined ? {} : { imageError: error.imageError }),
      ...(error.expired ? { expired: true } : {}),
      ...error.details,
    });
  }
  const page = presentError(error, request);
  const area = isAdministration(request.url) ? 'admin' : 'learner';
  return reply.page('platform/error', { area, title: page.heading, noindex: true, ...page });
}

function presentError({ status, heading, message, retryAfter }: AppError, request: FastifyRequest) {
  const unreadable = status >= 500 ? recoveryLinks(request) : null;
  return {
    status,
    // A learner's page whose contents could not be read shows the texts of specification §8.
    heading: unreadable ? 'Erreur lors du chargement du contenu' : (heading ?? headings[status] ?? 'Une erreur est survenue'),
    message: unreadable ? 'Une erreur est survenue lors du chargement des données. Veuillez réessayer.' : message,
    /** Value of Retry-After, in seconds. */
    retryAfter: retryAfter ?? null,
    /** Whether the visitor has just sent a form. */
    isForm: request.method === 'POST',
    /** Shown to the visitor, so that support finds the log line. */
    requestId: request.id,
    unreadable,
  };
}

/** Returns the links on the error page of a learner's page: try again, and the parent page. Null for other pages. */
function recoveryLinks(request: FastifyRequest) {
  const { back } = request.routeOptions.config;
  if (back === undefined) return null;
  const params = request.params as Record<string, string>;
  return { retry: request.url, back: back.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) };
}

/** Whether the error page gets the administration's layout. */
const isAdministration = (url: string): boolean => /^\/(api\/)?admin(\/|\?|$)/.test(url);

/** Returns the AppError that the caller may see for anything thrown. */
export function toAppError(error: FastifyError | Error, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const { validation, validationContext, statusCode, code } = error as FastifyError;
  // A page address with invalid parameters does not exist.
  if (validation && validationContext === 'params' && wantsHtml(request)) return notFound();
  if (validation) return invalidRequest(fieldErrors(validation));
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new AppError('REQUEST.TOO_LARGE', 413, "L'envoi est trop volumineux.");
  if (statusCode === 415) return new AppError('REQUEST.MEDIA_TYPE', 415, "Ce format d'envoi n'est pas pris en charge.");
  if (statusCode === 416) return new AppError('REQUEST.RANGE', 416, "Cette partie du fichier n'existe pas.");
  if (statusCode === 404 || statusCode === 403) return notFound();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return invalidRequest();
  if (isDatabaseAway(error))
    return new AppError('SERVER.UNAVAILABLE', 503, 'Le service est momentanément indisponible. Réessayez dans un instant.', {
      retryAfter: 5,
      cause: error,
    });
  if (isStoreAway(error))
    return new AppError(
      'FILES.UNAVAILABLE',
      503,
      'Les images et les documents sont momentanément inaccessibles. Réessayez dans un instant.',
      { retryAfter: 5, cause: error },
    );
  if (isDiskFull(error))
    return new AppError(
      'SERVER.DISK_FULL',
      507,
      "Le serveur n'a plus de place pour ce fichier : rien n'a été enregistré. Prévenez le support.",
      {
        cause: error,
      },
    );
  return new AppError('SERVER.FAILED', 500, "Une erreur est survenue de notre côté. Rien n'a été perdu. Réessayez dans un instant.", {
    cause: error,
  });
}

/** Returns the first fault of each field, with the schema's French message if it has one. */
function fieldErrors(validation: NonNullable<FastifyError['validation']>): FieldError[] {
  const byField = new Map<string, string>();
  for (const issue of validation) {
    const field = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
    if (!byField.has(field)) byField.set(field, issue.message ?? 'Valeur invalide');
  }
  return [...byField].map(([field, message]) => ({ field, message }));
}
