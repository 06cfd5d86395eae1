import { type FormEvent, type RefObject, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import { toast } from '../ui/toast.ts';
import { byField, type FieldErrors, firstFault, readFields, type Typed } from './form-fields.ts';
import { type FormState, initialForm, type Outcome, reduceForm } from './form-state.ts';

interface FormOptions {
  fields: readonly string[];
  /** Every field's first fault at once, by the rules that the server applies too. */
  faultsOf: (typed: Typed) => FieldErrors;
  send: (typed: Typed) => Promise<Outcome>;
  /** The form stays busy: another page comes, or another form. */
  accepted: () => void;
  /** What the server said of this form when it sent the page. */
  errors: readonly FieldError[];
  message: string | null;
}

interface Form {
  /** For the `<form>`. */
  bind: {
    ref: RefObject<HTMLFormElement | null>;
    onSubmit(event: FormEvent<HTMLFormElement>): void;
    onInput(event: FormEvent<HTMLFormElement>): void;
  };
  state: FormState;
  /** The first field with an error: a page that comes back begins there. */
  first: string | undefined;
  /** As typed since the script came. */
  typed: Typed;
}

/** A form that also posts itself without script: with it the same rules at once, one submission at a time, and the answer in place. */
export function useForm({ fields, faultsOf, send, accepted, errors, message }: FormOptions): Form {
  const ref = useRef<HTMLFormElement>(null);
  const [state, dispatch] = useReducer(reduceForm, null, () => initialForm(byField(fields, errors), message));
  const [typed, setTyped] = useState<Typed>({});

  function show(refusal: Omit<Extract<Parameters<typeof reduceForm>[1], { type: 'refused' }>, 'type'>): void {
    flushSync(() => dispatch({ type: 'refused', ...refusal }));
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (state.busy) return;
    const values = readFields(event.currentTarget, fields);
    const faults = faultsOf(values);
    if (Object.keys(faults).length > 0) return show({ errors: faults, notice: null });

    dispatch({ type: 'sent' });
    const outcome = await send(values);
    if (outcome.kind === 'accepted') return accepted();
    if (outcome.toast) toast('error', outcome.toast);
    show({ errors: outcome.errors, notice: outcome.notice });
  }

  function onInput(event: FormEvent<HTMLFormElement>): void {
    const { name } = event.target as HTMLInputElement;
    const values = readFields(event.currentTarget, fields);
    setTyped(values);
    if (state.submitted) dispatch({ type: 'edited', field: name, faults: faultsOf(values) });
  }

  return { bind: { ref, onSubmit, onInput }, state, first: firstFault(fields, state.errors), typed };
}

/** Goes on to a page that says the good news. Back from there, this page would still show nobody signed in: it is asked for again. */
export function leaveFor(path: string): void {
  addEventListener('pageshow', () => location.reload(), { once: true });
  location.assign(path);
}
