import { disciplineSchema, prepaSchema } from '../../src/shared/forms/catalogue.ts';
import { parseForm } from '../../src/shared/forms/field-errors.ts';
import type { FieldErrors, Typed } from '../forms/form-fields.ts';
import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';
import type { AnyRecord, Kind } from './records.ts';
import { isSignedOut, noticeOf } from './refusal.ts';

export const fieldsOf: Record<Kind, readonly string[]> = { prepa: ['nom', 'description', 'prix'], discipline: ['nom', 'description'] };

/** One of the four editing dialogs. */
export interface EditState {
  values: Typed;
  /** The values that the dialog began with, or that were enforced last. */
  initial: Typed;
  /** Of the record as it was read; null for a new one. */
  version: number | null;
  /** The chosen picture; null: none, or the one that is stored. */
  image: File | null;
  imageError: string | null;
  /** Fields that were left once, and are checked while typed in from then on. */
  left: string[];
  submitted: boolean;
  /** Said by the server of what was sent; gone when the field is typed in. */
  refused: FieldErrors;
  busy: boolean;
  /** How much has left, 0 to 1; null when nothing is being sent. */
  sent: number | null;
  notice: Notice | null;
  signedOut: boolean;
  /** What somebody else has stored meanwhile, by field. */
  others: Typed | null;
}

export type EditEvent =
  | { type: 'typed'; field: string; value: string }
  | { type: 'left'; field: string }
  | { type: 'picture chosen'; file: File | null; fault: string | null }
  | { type: 'submitted' }
  | { type: 'sending' }
  | { type: 'progressed'; sent: number }
  | { type: 'refused'; answer: Answer<{ current: AnyRecord }> | null; kind: Kind; failure: string };

export function valuesOf(kind: Kind, record: AnyRecord | null): Typed {
  const values = record as unknown as Record<string, unknown> | null;
  return Object.fromEntries(fieldsOf[kind].map((field) => [field, String(values?.[field] ?? '')]));
}

export function beginEdit(kind: Kind, record: AnyRecord | null): EditState {
  const values = valuesOf(kind, record);
  return {
    ...{ values, initial: values, version: record?.version ?? null, image: null, imageError: null, left: [], submitted: false },
    ...{ refused: {}, busy: false, sent: null, notice: null, signedOut: false, others: null },
  };
}

export function reduceEdit(state: EditState, event: EditEvent): EditState {
  switch (event.type) {
    case 'typed': {
      const { [event.field]: _gone, ...refused } = state.refused;
      return { ...state, values: { ...state.values, [event.field]: event.value }, refused };
    }
    case 'left':
      return state.left.includes(event.field) ? state : { ...state, left: [...state.left, event.field] };
    case 'picture chosen':
      return { ...state, image: event.fault === null ? event.file : null, imageError: event.fault };
    case 'submitted':
      return { ...state, submitted: true, notice: null };
    case 'sending':
      return { ...state, busy: true, sent: 0, refused: {}, notice: null, signedOut: false };
    case 'progressed':
      return { ...state, sent: event.sent };
    case 'refused':
      return refuse({ ...state, busy: false, sent: null }, event);
  }
}

function refuse(state: EditState, { answer, kind, failure }: Extract<EditEvent, { type: 'refused' }>): EditState {
  const current = answer?.status === 409 ? answer.body.current : undefined;
  if (current) {
    // The next submission is made knowing these.
    const notice: Notice = { kind: 'warning', message: answer?.body.message ?? failure };
    return { ...state, version: current.version, others: valuesOf(kind, current), notice };
  }
  const refused = Object.fromEntries((answer?.body.errors ?? []).map(({ field, message }) => [field, message]));
  const imageError = answer?.body.imageError ?? null;
  const known = fieldsOf[kind].some((field) => refused[field]) || imageError !== null;
  return {
    ...state,
    refused,
    imageError,
    notice: known ? null : noticeOf(answer, failure),
    signedOut: isSignedOut(answer),
  };
}

/** Every field's first fault, by the rules that the server applies too. */
export function faultsOf(kind: Kind, values: Typed): FieldErrors {
  const { errors = [] } = parseForm<unknown>(kind === 'prepa' ? prepaSchema : disciplineSchema, values);
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
}

/** The faults to be shown now: of fields that were left or sent, and what the server has said. */
export function shownFaults(kind: Kind, state: EditState): FieldErrors {
  const faults = Object.entries(faultsOf(kind, state.values)).filter(([field]) => state.submitted || state.left.includes(field));
  return { ...state.refused, ...Object.fromEntries(faults) };
}

/** Whether the button may be pressed: everything filled, and a picture for a new prepa (specification §5). */
export function isFilled(kind: Kind, creating: boolean, { values, image }: EditState): boolean {
  return fieldsOf[kind].every((field) => values[field]?.trim()) && !(kind === 'prepa' && creating && image === null);
}

/** Whether closing would lose something. */
export const isChanged = ({ values, initial, image }: EditState): boolean =>
  image !== null || Object.keys(values).some((field) => values[field] !== initial[field]);
