import type { FieldError } from '../shared/forms/field-errors.ts';

interface AppErrorOptions {
  /** Of its page, where what every error of its status is called says too little. */
  heading?: string;
  errors?: FieldError[];
  /** The session that was presented has ended: the page goes to the sign-in. */
  expired?: boolean;
  /** What was wrong with an uploaded image; shown under its field. */
  imageError?: string | undefined;
  /** What a program needs to go on from this refusal, beside the message: see the call that refuses. */
  details?: Record<string, unknown>;
  /** Seconds until the caller may try again (429). */
  retryAfter?: number;
  cause?: unknown;
}

/**
 * A fault that the caller may see: `code` is stable (`NOUN.REASON`), `message` is French and safe to show.
 * Everything else that is thrown becomes a 500 without details.
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
 * 429 with Retry-After; the message says in French how long to wait.
 * @param words another message, of that time
 */
export function tooManyRequests(
  retryAfterSeconds: number,
  words = (wait: string) => `Trop de tentatives. Réessayez dans ${wait}.`,
): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new AppError('REQUEST.TOO_MANY', 429, words(wait), { retryAfter: seconds });
}
