import { type FormEvent, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import type { Notice } from '../ui/Alert.tsx';
import { toast } from '../ui/toast.ts';
import { byField, type FieldErrors, firstFault, readFields, type Typed } from './form-fields.ts';
import { initialForm, type Outcome, reduceForm } from './form-state.ts';

interface FormOptions {
  fields: readonly string[];
  /** Every field's first fault at once, by the rules that the server applies too. */
  faultsOf: (typed: Typed) => FieldErrors;
  send: (typed: Typed) => Promise<Outcome>;
  /** The form stays busy: another page comes, or another form. */
  accepted: (typed: Typed, to?: string) => void;
  /** What the server said of this form when it sent the page. */
  errors: readonly FieldError[];
  message: string | null;
}

/** A form that also posts itself without script: with it the same rules at once, one submission at a time, and the answer in place. */
export function useForm({ fields, faultsOf, send, accepted, errors, message }: FormOptions) {
  const ref = useRef<HTMLFormElement>(null);
  const [state, dispatch] = useReducer(reduceForm, null, () => initialForm(byField(fields, errors), message));
  const [typed, setTyped] = useState<Typed>({});

  function show(errors: FieldErrors, notice: Notice | null): void {
    flushSync(() => dispatch({ type: 'refused', errors, notice }));
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (state.busy) return;
    const values = readFields(event.currentTarget, fields);
    const faults = faultsOf(values);
    if (Object.keys(faults).length > 0) return show(faults, null);

    dispatch({ type: 'sent' });
    const outcome = await send(values);
    if (outcome.kind === 'accepted') return accepted(values, outcome.to);
    if (outcome.toast) toast('error', outcome.toast);
    show(outcome.errors, outcome.notice);
  }

  function onInput(event: FormEvent<HTMLFormElement>): void {
    const { name } = event.target as HTMLInputElement;
    const values = readFields(event.currentTarget, fields);
    setTyped(values);
    if (state.submitted) dispatch({ type: 'edited', field: name, faults: faultsOf(values) });
  }

  return {
    /** For the `<form>`. */
    bind: { ref, onSubmit, onInput },
    state,
    /** The first field with an error: a page that comes back begins there. */
    first: firstFault(fields, state.errors),
    /** As typed since the script came. */
    typed,
  };
}

/** Goes on to a page that says the good news. Back from there, this page would still show nobody signed in: it is asked for again. */
export function leaveFor(path: string): void {
  addEventListener('pageshow', () => location.reload(), { once: true });
  location.assign(path);
}
