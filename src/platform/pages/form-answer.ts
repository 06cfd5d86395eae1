import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isFormPost, wantsHtml } from '../http/negotiation.ts';

export type Form = Record<string, unknown>;

/** A refused form and the error. */
export interface RefusedForm {
  form: Form;
  error: AppError;
}

/** Returns the request's form fields. A body that is not an object counts as an empty form, so every required field is reported. */
export function readForm(request: FastifyRequest): Form {
  const { body } = request;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Form) : {};
}

/**
 * Handles a form. If it is refused, a plain form gets its own page again with all messages (`sendPage`); a program gets the error as JSON.
 */
export async function answerForm(
  request: FastifyRequest,
  handle: (form: Form) => Promise<unknown>,
  sendPage: (refused: RefusedForm) => Promise<unknown>,
): Promise<void> {
  const form = readForm(request);
  try {
    await handle(form);
  } catch (error) {
    if (!(error instanceof AppError) || !isFormPost(request) || !wantsHtml(request)) throw error;
    await sendPage({ form, error });
  }
}

/** Sets status and headers of a form page that shows errors. */
export function refusePage(reply: FastifyReply, { status, retryAfter }: AppError): void {
  reply.code(status).header('cache-control', 'no-store');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
}

/** Returns the typed value of a field, at most 255 characters; '' if it is missing or not text. Never call it for a password. */
export function typedField(form: Form | undefined, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value.slice(0, 255) : '';
}

export const typedFields = (form: Form | undefined, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, typedField(form, field)]));

/** Returns the error messages by field name. */
export const faultsOf = (error: AppError | undefined): Record<string, string> =>
  Object.fromEntries((error?.errors ?? []).map(({ field, message }) => [field, message]));
