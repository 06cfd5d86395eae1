import { disciplineSchema, prepaSchema } from '../../src/shared/forms/catalogue.ts';
import { parseForm } from '../../src/shared/forms/field-errors.ts';
import { isSignedOut, noticeOf } from '../admin-shared/refusal.ts';
import { byField, type FieldErrors, type Typed } from '../forms/form-fields.ts';
import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';
import type { AnyRecord, Kind } from './records.ts';

const fieldsOf: Record<Kind, readonly string[]> = { prepa: ['nom', 'description', 'prix'], discipline: ['nom', 'description'] };

/** The state of an editing dialog. */
export interface EditState {
  values: Typed;
  /** The stored values known to this dialog: those at its opening, then those reported by a conflict. */
  initial: Typed;
  /** The record's version when it was read; null for a new record. */
  version: number | null;
  /** Address of the stored picture, or null. */
  stored: string | null;
  /** The newly chosen picture, or null. */
  image: File | null;
  /** The fault of the chosen file. Nothing is sent until another file, or none, is chosen. */
  pictureFault: string | null;
  pictureRefused: string | null;
  /** Fields that have lost the focus once. From then on they are checked while typing. */
  left: string[];
  submitted: boolean;
  /** The server's faults; each is removed when its field is changed. */
  refused: FieldErrors;
  busy: boolean;
  /** Uploaded share, 0 to 1, or null if no upload is in progress. */
  sent: number | null;
  notice: Notice | null;
  signedOut: boolean;
  /** Values saved by somebody else, for fields that were also changed here. */
  others: Typed;
  pictureChanged: boolean;
}

export type EditEvent =
  | { type: 'typed'; field: string; value: string }
  | { type: 'left'; field: string }
  | { type: 'picture chosen'; file: File | null; fault: string | null }
  | { type: 'submitted' }
  | { type: 'sending' }
  | { type: 'progressed'; sent: number }
  | { type: 'refused'; answer: Answer<{ current: AnyRecord }> | null; kind: Kind; failure: string };

function valuesOf(kind: Kind, record: AnyRecord | null): Typed {
  const values = record as unknown as Record<string, unknown> | null;
  return Object.fromEntries(fieldsOf[kind].map((field) => [field, String(values?.[field] ?? '')]));
}

export function beginEdit(kind: Kind, record: AnyRecord | null): EditState {
  const values = valuesOf(kind, record);
  return {
    values,
    initial: values,
    version: record?.version ?? null,
    left: [],
    submitted: false,
    refused: {},
    others: {},
    stored: record?.image_url ?? null,
    image: null,
    pictureFault: null,
    pictureRefused: null,
    pictureChanged: false,
    busy: false,
    sent: null,
    notice: null,
    signedOut: false,
  };
}

export function reduceEdit(state: EditState, event: EditEvent): EditState {
  switch (event.type) {
    case 'typed': {
      const { [event.field]: _gone, ...refused } = state.refused;
      return { ...state, values: { ...state.values, [event.field]: event.value }, refused };
    }
    case 'left':
      return leave(state, event.field);
    case 'picture chosen':
      return leave({ ...state, image: event.fault === null ? event.file : null, pictureFault: event.fault, pictureRefused: null }, 'image');
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

const leave = (state: EditState, field: string): EditState =>
  state.left.includes(field) ? state : { ...state, left: [...state.left, field] };

function refuse(state: EditState, { answer, kind, failure }: Extract<EditEvent, { type: 'refused' }>): EditState {
  const current = answer?.status === 409 ? answer.body.current : undefined;
  if (current) return { ...adopt(state, kind, current), notice: { kind: 'warning', message: answer?.body.message ?? failure } };

  const errors = answer?.body.errors ?? [];
  const refused = byField(fieldsOf[kind], errors);
  // Faults of fields that the dialog does not show go into the notice.
  const others = errors.filter(({ field }) => !(field in refused)).map(({ message }) => message);
  const pictureRefused = answer?.body.imageError ?? null;
  const said = Object.keys(refused).length > 0 || pictureRefused !== null;
  const notice: Notice | null =
    others.length > 0 ? { kind: 'error', message: others.join(' ') } : said ? null : noticeOf(answer, failure, kept);
  return { ...state, refused, pictureRefused, notice, signedOut: isSignedOut(answer) };
}

const kept = 'Ce que vous avez saisi est conservé.';

/**
 * Adopts the record saved by somebody else: unchanged fields take its values; changed fields keep the typed value and offer the saved one.
 * The next submission sends the saved record's version.
 */
function adopt(state: EditState, kind: Kind, current: AnyRecord): EditState {
  const stored = valuesOf(kind, current);
  const touched = Object.keys(stored).filter((field) => state.values[field] !== state.initial[field]);
  const mine = Object.fromEntries(touched.map((field) => [field, state.values[field] ?? '']));
  return {
    ...state,
    values: { ...stored, ...mine },
    initial: stored,
    version: current.version,
    others: Object.fromEntries(touched.map((field) => [field, stored[field] ?? ''])),
    stored: current.image_url,
    pictureChanged: current.image_url !== state.stored,
  };
}

/** Returns the first fault of each field. The server checks the same rules. */
export function faultsOf(kind: Kind, values: Typed): FieldErrors {
  const { errors = [] } = parseForm<unknown>(kind === 'prepa' ? prepaSchema : disciplineSchema, values);
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
}

/** Returns the faults to show: of fields that were left or submitted, and the server's. */
export function shownFaults(kind: Kind, state: EditState): FieldErrors {
  const faults = Object.entries(faultsOf(kind, state.values)).filter(([field]) => state.submitted || state.left.includes(field));
  return { ...state.refused, ...Object.fromEntries(faults) };
}

/** Returns the picture's fault: of the file, from the server, or that a new prepa's picture was removed. */
export function shownPictureFault(kind: Kind, creating: boolean, state: EditState): string | undefined {
  const missing = kind === 'prepa' && creating && state.image === null && state.left.includes('image');
  return state.pictureFault ?? state.pictureRefused ?? (missing ? "L'image est obligatoire" : undefined);
}

/** Returns whether the form can be submitted: all fields are filled, and a new prepa has a picture (specification §5). */
export function isFilled(kind: Kind, creating: boolean, { values, image }: EditState): boolean {
  return fieldsOf[kind].every((field) => values[field]?.trim()) && !(kind === 'prepa' && creating && image === null);
}

/** Returns whether closing would lose changes. */
export const isChanged = ({ values, initial, image }: EditState): boolean =>
  image !== null || Object.keys(values).some((field) => values[field] !== initial[field]);
