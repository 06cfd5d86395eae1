import type { Notice } from '../ui/Alert.tsx';
import type { FieldErrors } from './form-fields.ts';

export interface FormState {
  busy: boolean;
  errors: FieldErrors;
  /** After a first submission, a field is checked again while typing. */
  submitted: boolean;
  notice: Notice | null;
}

export type FormEvent =
  | { type: 'sent' }
  | { type: 'refused'; errors: FieldErrors; notice: Notice | null }
  /** `faults`: those of the whole form with its current values. */
  | { type: 'edited'; field: string; faults: FieldErrors };

/** The result of sending a form. */
export type Outcome =
  /** `to`: the next page, if it differs from the form's usual next page. */
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
  // Changing the password can make the confirmation valid or invalid.
  if (event.field === 'password' && errors.confirmPassword) {
    const { confirmPassword } = event.faults;
    if (confirmPassword) errors.confirmPassword = confirmPassword;
    else delete errors.confirmPassword;
  }
  return { ...state, errors };
}
