import type { FieldError } from '../shared/forms/field-errors.ts';

interface AppErrorOptions {
  /** Heading of the error page, if the default heading of the status is too general. */
  heading?: string;
  errors?: FieldError[];
  /** The presented session has ended: the page redirects to the sign-in. */
  expired?: boolean;
  /** Fault of an uploaded image; shown under its field. */
  imageError?: string | undefined;
  /** Further fields of the JSON response, for programs; described at the call that refuses. */
  details?: Record<string, unknown>;
  /** Time until the caller may try again (429, 503), in seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/**
 * An error that may be shown to the caller: `code` is stable (`NOUN.REASON`), `message` is in French and safe to show.
 * Any other thrown error becomes a 500 without details.
 */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly heading: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly expired: boolean;
  readonly imageError: string | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: string, status: number, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.heading = options.heading;
    this.errors = options.errors;
    this.expired = options.expired ?? false;
    this.imageError = options.imageError;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }
}

export const invalidRequest = (errors?: FieldError[], message = 'Requête invalide. Vérifiez les informations envoyées.') =>
  new AppError('REQUEST.INVALID', 400, message, errors ? { errors } : {});

export const notFound = (message = "Cette page ou cet élément n'existe pas ou n'existe plus.") =>
  new AppError('RESOURCE.NOT_FOUND', 404, message);

export const forbidden = (message = "Vous n'avez pas accès à cette page.") => new AppError('ACCESS.FORBIDDEN', 403, message);

/**
 * Returns a 429 with Retry-After; its message contains the waiting time in French.
 * @param words returns another message from the waiting time
 */
export function tooManyRequests(
  retryAfterSeconds: number,
  words = (wait: string) => `Trop de tentatives. Réessayez dans ${wait}.`,
): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new AppError('REQUEST.TOO_MANY', 429, words(wait), { retryAfter: seconds });
}
