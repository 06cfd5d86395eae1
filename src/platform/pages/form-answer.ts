import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isFormPost, wantsHtml } from '../http/negotiation.ts';

export type Form = Record<string, unknown>;

/** A form that was refused, and why. */
export interface RefusedForm {
  form: Form;
  error: AppError;
}

/** A body that is not an object of fields is an empty form: every required field then says so. */
export function readForm(request: FastifyRequest): Form {
  const { body } = request;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Form) : {};
}

/** A plain form's fault comes back as the form's own page, which `sendPage` answers, with every message; a program gets JSON. */
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

/** Status and headers of a form's page that says what was wrong. */
export function refusePage(reply: FastifyReply, { status, retryAfter }: AppError): void {
  reply.code(status).header('cache-control', 'no-store');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
}

/** What was typed into a field, at most 255 characters; '' for what is missing or no text. Never asked for a password. */
export function typedField(form: Form | undefined, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value.slice(0, 255) : '';
}

/** The same of several, by their names. */
export const typedFields = (form: Form | undefined, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, typedField(form, field)]));

/** A refusal's messages by the field under which they stand. */
export const faultsOf = (error: AppError | undefined): Record<string, string> =>
  Object.fromEntries((error?.errors ?? []).map(({ field, message }) => [field, message]));
