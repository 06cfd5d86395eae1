import type { Node as DocumentNode } from 'prosemirror-model';
import { checkDocument, RichTextError } from '../../../shared/rich-text/document.ts';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { refused } from './refusal.ts';

export interface ImportedText {
  /** Title that meets the rule for titles; null when the document has none. */
  readonly titre: string | null;
  /** The document's title as it is, when the rule for titles refuses it; null otherwise. */
  readonly intitule: string | null;
  readonly contenu: DocumentNode;
  readonly corrige: DocumentNode | null;
}

/** The parts of a document that are stored apart from the text. A part that is not stays in the text, so that it is not lost. */
export interface OwnPlaces {
  readonly hasTitle: boolean;
  readonly hasCorrection: boolean;
  /** Whether the text may hold questions: a correction has none. */
  readonly hasQuestions: boolean;
  /** Whether a file with several exercises may become several items. */
  readonly hasExercises?: boolean;
}

/** Converts the read tree into a document of the schema. @throws AppError 400 when it is larger or deeper than a text may be */
export const asDocument = (root: Element): DocumentNode => asChecked(documentFromDom(root));

/** Returns a document that keeps the schema and its limits. @throws AppError 400 when it does not */
export function asChecked(document: DocumentNode): DocumentNode {
  try {
    checkDocument(document);
    return document;
  } catch (error) {
    throw error instanceof RichTextError ? refused(error.message, error) : error;
  }
}
