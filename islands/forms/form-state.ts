import type { Notice } from '../ui/Alert.tsx';
import type { FieldErrors } from './form-fields.ts';

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

/** What a call's answer means for the form that was sent. */
export type Outcome =
  /** `to`: the page that goes on with it, where it is not the form's usual one. */
  { kind: 'accepted'; to?: string } | { kind: 'refused'; errors: FieldErrors; notice: Notice | null; toast: string | null };

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
