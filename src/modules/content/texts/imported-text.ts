import type { Node as DocumentNode } from 'prosemirror-model';
import { checkDocument, RichTextError } from '../../../shared/rich-text/document.ts';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { refused } from './refusal.ts';

export interface ImportedText {
  /** By the rule for titles; null when the document names none. */
  readonly titre: string | null;
  readonly contenu: DocumentNode;
  readonly corrige: DocumentNode | null;
}

/** What of a document has a place of its own beside the text. What has none stays where it stands: nothing else would keep it. */
export interface OwnPlaces {
  readonly hasTitle: boolean;
  readonly hasCorrection: boolean;
}

/** What was read as a document of the schema. @throws AppError 400 when it is larger or deeper than a text may be */
export function asDocument(root: Element): DocumentNode {
  const document = documentFromDom(root);
  try {
    checkDocument(document);
    return document;
  } catch (error) {
    throw error instanceof RichTextError ? refused(error.message, error) : error;
  }
}
