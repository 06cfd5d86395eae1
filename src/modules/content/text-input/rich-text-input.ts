import type { EntityManager } from '@mikro-orm/postgresql';
import type { Node } from 'prosemirror-model';
import type { UseCaseContext } from '../../../platform/events.ts';
import { checkDocument, documentFromJson, RichTextError } from '../../../shared/rich-text/document.ts';
import { htmlWith } from '../canonical-html.ts';
import { FormulaRenderer } from './document-formulas.ts';
import { settleImages } from './document-images.ts';
import { readHtml } from './html-input.ts';
import { Remarks } from './remarks.ts';

/** A text as it will be stored. */
export interface PreparedText {
  /** Canonical HTML; '' for a text without content. */
  html: string;
  /** Names of the stored images that it shows. */
  images: string[];
}

/**
 * The document that a call brought along: HTML, an editor's document as JSON, or nothing. Nothing is stored yet.
 * @returns null for a text without content
 * @throws RichTextError with a French message
 */
export function readText(input: unknown, remarks: Remarks): Node | null {
  if (input === null || input === undefined || input === '') return null;
  try {
    const doc = typeof input === 'string' ? readHtml(input, remarks) : documentFromJson(input);
    checkDocument(doc);
    return isEmpty(doc) ? null : doc;
  } catch (error) {
    // Parsers call themselves for each level: a text made to exhaust them is a fault like another.
    if (error instanceof RangeError && error.message.includes('call stack'))
      throw new RichTextError('Le texte a trop de niveaux imbriqués.');
    throw error;
  }
}

/** Makes documents of one save ready to be stored, one after the other: images stored, formulas drawn within one bound. */
export class TextPreparation {
  readonly remarks = new Remarks();
  readonly #formulas = new FormulaRenderer(this.remarks);
  readonly #em: EntityManager;
  readonly #context: UseCaseContext;

  constructor(em: EntityManager, context: UseCaseContext) {
    this.#em = em;
    this.#context = context;
  }

  /** @throws RichTextError */
  async prepare(doc: Node | null): Promise<PreparedText> {
    if (!doc) return { html: '', images: [] };
    const { doc: settled, names } = await settleImages(this.#em, this.#context, doc, this.remarks);
    return isEmpty(settled) ? { html: '', images: [] } : { html: htmlWith(settled, await this.#formulas.render(settled)), images: names };
  }
}

/** Whether a document holds nothing but blank lines. */
function isEmpty(doc: Node): boolean {
  let empty = true;
  doc.forEach((block) => {
    empty &&= block.isTextblock && block.type.name !== 'figure' && block.textContent.trim() === '' && onlyText(block);
  });
  return empty;
}

function onlyText(block: Node): boolean {
  let plain = true;
  block.forEach((node) => {
    plain &&= node.isText || node.type.name === 'hard_break';
  });
  return plain;
}
