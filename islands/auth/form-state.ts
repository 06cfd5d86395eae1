import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';
import { byField, type FieldErrors } from './form-rules.ts';
import { type AuthView, views } from './view.ts';

export interface FormState {
  busy: boolean;
  errors: FieldErrors;
  /** After a first submission, a field is checked again while it is typed in. */
  submitted: boolean;
  notice: Notice | null;
}

export type FormEvent =
  | { type: 'sent' }
  | { type: 'refused'; errors: FieldErrors; notice: Notice | null }
  /** `faults`: of the whole form as it now stands. */
  | { type: 'edited'; field: string; faults: FieldErrors };

export function initialForm(errors: FieldErrors, message: string | null): FormState {
  return { busy: false, errors, submitted: Object.keys(errors).length > 0, notice: message === null ? null : { kind: 'error', message } };
}

export function reduceForm(state: FormState, event: FormEvent): FormState {
  if (event.type === 'sent') return { busy: true, errors: {}, submitted: true, notice: null };
  if (event.type === 'refused') return { busy: false, errors: event.errors, submitted: true, notice: event.notice };
  if (!state.submitted) return state;
  const { [event.field]: _gone, ...errors } = state.errors;
  const fault = event.faults[event.field];
  if (fault) errors[event.field] = fault;
  // The confirmation is judged against the password.
  if (event.field === 'password' && errors.confirmPassword) {
    const { confirmPassword } = event.faults;
    if (confirmPassword) errors.confirmPassword = confirmPassword;
    else delete errors.confirmPassword;
  }
  return { ...state, errors };
}

export type Outcome = { kind: 'accepted' } | { kind: 'refused'; errors: FieldErrors; notice: Notice | null; toast: string | null };

/** What a sign-in's or registration's answer means; null: the network gave none (specification §8). */
export function readAnswer(view: AuthView, answer: Answer | null): Outcome {
  if (answer?.ok) return { kind: 'accepted' };
  const errors = byField(view, answer?.body.errors ?? []);
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors, notice: null, toast: null };
  if (answer?.body.message) {
    const { message } = answer.body;
    return { kind: 'refused', errors, notice: { kind: 'error', message }, toast: view === 'connexion' ? message : null };
  }
  const { failure } = views[view];
  const detail = answer
    ? "Le service n'a pas pu répondre. Ce que vous avez saisi est conservé : réessayez dans un instant."
    : 'Le réseau ne répond pas. Ce que vous avez saisi est conservé : vérifiez votre connexion, puis réessayez.';
  if (view === 'connexion') return { kind: 'refused', errors, notice: { kind: 'error', message: detail }, toast: failure };
  return { kind: 'refused', errors, notice: { kind: 'error', message: failure, detail }, toast: null };
}
