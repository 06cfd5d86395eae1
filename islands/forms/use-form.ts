import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldError } from '../../src/shared/forms/field-errors.ts';
import type { Notice } from '../ui/Alert.tsx';
import { toast } from '../ui/toast.ts';
import { byField, type FieldErrors, firstFault, readFields, type Typed } from './form-fields.ts';
import { initialForm, type Outcome, reduceForm } from './form-state.ts';

interface FormOptions {
  fields: readonly string[];
  /** Returns the first fault of each field. The server checks the same rules. */
  faultsOf: (typed: Typed) => FieldErrors;
  send: (typed: Typed) => Promise<Outcome>;
  /** Called after a success. The form stays busy until another page or form replaces it. */
  accepted: (typed: Typed, to?: string) => void;
  /** The server's errors for this form, from the page's HTML. */
  errors: readonly FieldError[];
  message: string | null;
}

/** A form that also works without script. With script, it is checked before it is sent, and shows the response in this page. */
export function useForm({ fields, faultsOf, send, accepted, errors, message }: FormOptions) {
  const ref = useRef<HTMLFormElement>(null);
  const [state, dispatch] = useReducer(reduceForm, null, () => initialForm(byField(fields, errors), message));
  const [typed, setTyped] = useState<Typed>({});
  // On a slow network, fields may be filled before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration.
  useEffect(() => {
    if (ref.current) setTyped(readFields(ref.current, fields));
  }, []);

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
    /** Properties of the `<form>`. */
    bind: { ref, onSubmit, onInput },
    state,
    /** The first field with an error, which gets the focus when a refused form is shown again. */
    first: firstFault(fields, state.errors),
    /** Values of the fields, those typed before hydration included. */
    typed,
  };
}

/** Opens the next page, which shows the success. */
export function leaveFor(path: string): void {
  reloadWhenRestored();
  location.assign(path);
}

/** Submits the form as the browser does without script. Never resolves, because the response replaces this page. */
export function submitAsPage(form: HTMLFormElement): Promise<never> {
  reloadWhenRestored();
  form.submit();
  return new Promise(() => {});
}

/** Reloads this page when the browser restores it: the restored page would still look signed out. */
const reloadWhenRestored = () => addEventListener('pageshow', () => location.reload(), { once: true });
