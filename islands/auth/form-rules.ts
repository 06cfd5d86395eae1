import { parseForm } from '../../src/shared/forms/field-errors.ts';
import { registrationFields, registrationSchema, signInSchema } from '../../src/shared/forms/learner.ts';
import { byField, type FieldErrors, type Typed } from '../forms/form-fields.ts';
import type { Outcome } from '../forms/form-state.ts';
import type { Answer } from '../runtime/post.ts';
import { isOffline, withoutNetwork } from '../runtime/without-network.ts';
import { type AuthView, views } from './view.ts';

export const fields: Record<AuthView, readonly string[]> = {
  connexion: ['email', 'password'],
  inscription: registrationFields,
};

/** Returns the first error of each field, according to the validation rules that the server also uses. */
export function faultsOf(view: AuthView, typed: Typed, allowedDomains: readonly string[]): FieldErrors {
  const schema = view === 'connexion' ? signInSchema : registrationSchema(allowedDomains);
  return byField(fields[view], parseForm<unknown>(schema, typed).errors ?? []);
}

/** Returns the domains as a French list, such as 'gmail.com, yahoo.fr ou outlook.com'. */
export const eitherOf = (domains: readonly string[]): string => domains.join(', ').replace(/, (?=[^,]*$)/, ' ou ');

/** Returns the outcome of a sign-in or registration (specification §8). `answer` is null when no response arrived. */
export function readAnswer(view: AuthView, answer: Answer | null): Outcome {
  if (answer?.ok) return { kind: 'accepted' };
  const errors = byField(fields[view], answer?.body.errors ?? []);
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors, notice: null, toast: null };
  if (answer?.body.message) {
    const { message } = answer.body;
    return { kind: 'refused', errors, notice: { kind: 'error', message }, toast: view === 'connexion' ? message : null };
  }
  const { failure } = views[view];
  const detail = answer
    ? "Le service n'a pas pu répondre. Ce que vous avez saisi est conservé : réessayez dans un instant."
    : `${isOffline() ? withoutNetwork : 'Le réseau ne répond pas.'} Ce que vous avez saisi est conservé : vérifiez votre connexion, puis réessayez.`;
  if (view === 'connexion') return { kind: 'refused', errors, notice: { kind: 'error', message: detail }, toast: failure };
  return { kind: 'refused', errors, notice: { kind: 'error', message: failure, detail }, toast: null };
}
