import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isFormPost, wantsHtml } from '../http/negotiation.ts';

export type Form = Record<string, unknown>;

/** A body that is not an object of fields is an empty form: every required field then says so. */
export function readForm(request: FastifyRequest): Form {
  const { body } = request;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Form) : {};
}

/** A plain form's fault comes back as the form's own page, which `sendPage` answers, with every message; a program gets JSON. */
export async function answerForm(
  request: FastifyRequest,
  handle: (form: Form) => Promise<unknown>,
  sendPage: (refused: { form: Form; error: AppError }) => Promise<unknown>,
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
