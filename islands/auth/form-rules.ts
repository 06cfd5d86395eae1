import { parseForm } from '../../src/shared/forms/field-errors.ts';
import { registrationSchema, signInSchema } from '../../src/shared/forms/learner.ts';
import type { AuthView } from './view.ts';

/** What stands in a form, by field name. */
export type Typed = Record<string, string>;
export type FieldErrors = Record<string, string>;

const fields: Record<AuthView, string[]> = {
  connexion: ['email', 'password'],
  inscription: ['username', 'email', 'password', 'confirmPassword'],
};

export function readForm(form: HTMLFormElement, view: AuthView): Typed {
  const data = new FormData(form);
  return Object.fromEntries(fields[view].map((field) => [field, String(data.get(field) ?? '')]));
}

/** Every field's first fault at once, by the rules that the server applies too. */
export function faultsOf(view: AuthView, typed: Typed, allowedDomains: readonly string[]): FieldErrors {
  const schema = view === 'connexion' ? signInSchema : registrationSchema(allowedDomains);
  return byField(view, parseForm<unknown>(schema, typed).errors ?? []);
}

/** The field that the person is taken to. */
export function firstFault(view: AuthView, errors: FieldErrors): string | undefined {
  return fields[view].find((field) => errors[field]);
}

/** Errors of the fields that this form has; what a server says of others is left out. */
export function byField(view: AuthView, errors: readonly { field: string; message: string }[]): FieldErrors {
  return Object.fromEntries(errors.filter(({ field }) => fields[view].includes(field)).map(({ field, message }) => [field, message]));
}
