import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import type { MarkingRule } from '../../../src/shared/questions/marking-rule.ts';
import { type Answer, call } from '../../runtime/post.ts';
import { sendForm } from '../../runtime/send-form.ts';
import type { Item, ItemSummary } from './records.ts';

/** Timeout in ms for saving a text with its images over a slow mobile network. */
export const saveTimeoutMs = 120_000;

/** A ProseMirror document as JSON. */
export type DocumentJson = Record<string, unknown>;

/** The request body for an item. The texts are documents under their API names. */
export interface ItemBody {
  titre: string;
  intitule: string;
  annee?: string;
  duree?: string;
  bareme?: string;
  [text: string]: string | number | DocumentJson | readonly string[] | null | undefined;
}

/** A saved item, and the parts of its texts that could not be kept. */
export type SavedItem = Item & { remarques?: string[] };
export type SaveAnswer = Answer<SavedItem & { current: Item; changedBy: string | null }>;

export interface FoundExercise {
  titre: string;
  intitule: string | null;
  enonce: readonly number[];
  corrige: readonly number[];
  mots: { enonce: number; corrige: number };
}

export interface ImportedDocument {
  titre: string | null;
  /** The title as it is in the file, if the rules of titles refuse it. */
  intitule: string | null;
  document: DocumentJson;
  corrige: DocumentJson | null;
  /** The questions in `document`: only their number matters here, since the document itself is shown. */
  questions: readonly unknown[];
  /** The exercises of a file that has several. Texts are ranks of blocks: of `document`, then of `corrige`. */
  exercices: readonly FoundExercise[];
  /** Points for a right, a wrong and a missing answer that the file gives. */
  bareme: MarkingRule | null;
  remarques: string[];
}

export const pathOf = (kind: ItemKind): string => `/api/${kindDetails[kind].path}`;
export const itemAddress = (kind: ItemKind, id: number): string => `${pathOf(kind)}/${id}`;

export const readOutline = (kind: ItemKind, disciplineId: number) =>
  call<ItemSummary[]>('GET', `${pathOf(kind)}/discipline/${disciplineId}?textes=non`);
export const readItem = (kind: ItemKind, id: number) => call<Item>('GET', itemAddress(kind, id));
export const createItem = (kind: ItemKind, body: ItemBody): Promise<SaveAnswer | null> => call('POST', pathOf(kind), body, saveTimeoutMs);
export const saveItem = (kind: ItemKind, id: number, body: ItemBody): Promise<SaveAnswer | null> =>
  call('PUT', itemAddress(kind, id), body, saveTimeoutMs);
export const moveItem = (kind: ItemKind, id: number, numero_page: number) =>
  call('PUT', `${itemAddress(kind, id)}/position`, { numero_page });

/**
 * Reads a text written in Markdown with the import's reader. Title, correction and questions stay in the text. Returns the document and
 * remarks on parts that could not be kept, or the fault in French.
 */
export async function readMarkdown(text: string): Promise<{ document: DocumentJson; remarks: string[] } | { fault: string }> {
  // A first line of three dashes would start a front matter, whose lines are not part of the text.
  const form = formOf('fichier', new File([text.replace(/^---/, ' ---')], 'texte.md', { type: 'text/markdown' }));
  for (const part of ['titre', 'corrige', 'questions']) form.set(part, 'non');
  form.set('format', 'markdown');
  const answer = await sendForm<ImportedDocument>('POST', '/api/imports', form, () => {});
  const { document, remarques, message } = answer?.body ?? {};
  if (answer?.ok && document) return { document, remarks: remarques ?? [] };
  if (!answer) return { fault: 'Le serveur ne répond pas : votre texte reste tel quel. Vérifiez votre connexion, puis réessayez.' };
  return { fault: `${message ?? 'Le service ne répond pas.'} Votre texte reste tel quel.` };
}

/** Uploads an image of the text for the editor. Returns its address and size, or the fault in French. */
export async function uploadImage(file: File): Promise<{ src: string; width: number; height: number } | { fault: string }> {
  const answer = await sendForm<{ src: string; width: number; height: number }>('POST', '/api/images', formOf('image', file), () => {});
  const { src, width, height, imageError, message } = answer?.body ?? {};
  if (answer?.ok && src && width && height) return { src, width, height };
  if (!answer) return { fault: "Le serveur ne répond pas : l'image n'a pas été envoyée. Vérifiez votre connexion, puis réessayez." };
  return { fault: imageError ?? message ?? "L'image n'a pas pu être enregistrée." };
}

/** Returns a form with one file. */
export function formOf(field: string, file: File): FormData {
  const form = new FormData();
  form.set(field, file);
  return form;
}
