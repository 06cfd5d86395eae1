import type { Node as DocumentNode } from 'prosemirror-model';
import { checkDocument, RichTextError } from '../../../shared/rich-text/document.ts';
import { documentFromDom } from '../../../shared/rich-text/parse.ts';
import { refused } from './refusal.ts';

export interface ImportedText {
  /** Title that meets the rule for titles; null when the document has none. */
  readonly titre: string | null;
  readonly contenu: DocumentNode;
  readonly corrige: DocumentNode | null;
  /** Lists whose labels the schema does not keep. */
  readonly labelled: LabelledLists;
}

/** Numbered lists with labels other than 1, 2, 3: by letters, or otherwise. */
type LabelledLists = ReadonlyMap<DocumentNode, 'letters' | 'other'>;

/** Attribute of an `ol` that says how its items are labelled, until the tree has become a document. */
export const listLabels = 'data-labels';

/** Returns the labelled lists of a document that was made from a tree. Both hold the same lists in the same order. */
export function labelledLists(root: Element, document: DocumentNode): [DocumentNode, 'letters' | 'other'][] {
  const elements = [...root.getElementsByTagName('ol')];
  if (!elements.some((element) => element.hasAttribute(listLabels))) return [];
  const lists: DocumentNode[] = [];
  document.descendants((node) => {
    if (node.type.name === 'ordered_list') lists.push(node);
  });
  if (lists.length !== elements.length) return [];
  return lists.flatMap((list, index) => {
    const labels = elements[index]?.getAttribute(listLabels);
    return labels ? [[list, labels === 'letters' ? 'letters' : 'other']] : [];
  });
}

/** The parts of a document that are stored apart from the text. A part that is not stays in the text, so that it is not lost. */
export interface OwnPlaces {
  readonly hasTitle: boolean;
  readonly hasCorrection: boolean;
  /** Whether the text may hold questions: a correction has none. */
  readonly hasQuestions: boolean;
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
