import type { EntityManager } from '@mikro-orm/postgresql';
import type { Node } from 'prosemirror-model';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import type { TextField } from '../../../../shared/item-kinds.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { isEmpty } from '../../../../shared/rich-text/emptiness.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { readTexts, writeTexts } from '../../texts/client/text-worker.ts';
import { Remarks } from '../../texts/remarks.ts';
import { storeImages } from './text-images.ts';

/** A text as it will be stored. */
interface PreparedText {
  /** Canonical HTML; '' for a text without content. */
  html: string;
  /** Names of the stored images that it shows. */
  images: string[];
}

/** The texts that a save brings along; one that is not named is not there. */
export type PreparedTexts = Partial<Record<TextField, PreparedText>>;

type Documents = Partial<Record<TextField, Node | null>>;

/**
 * Texts on their way from a call into the database: read by a task of the worker process, written by another. Their images are stored in between, here,
 * where the database is; a worker that waited for that would hold up other saves (docs/decisions/020-texts-in-a-process-of-their-own.md).
 */
export class TextPreparation {
  readonly remarks = new Remarks();
  readonly #em: EntityManager;
  readonly #context: UseCaseContext;
  /** What a column is called in the call. */
  readonly #fieldOf: (column: TextField) => string;

  constructor(em: EntityManager, context: UseCaseContext, fieldOf: (column: TextField) => string) {
    this.#em = em;
    this.#context = context;
    this.#fieldOf = fieldOf;
  }

  /**
   * The documents that a call brings along, HTML or JSON. Nothing is stored yet; every fault goes to `errors`.
   * @throws AppError 400 for what cannot be read within the bounds of time and memory
   */
  async read(inputs: Partial<Record<TextField, unknown>>, errors: FieldError[]): Promise<Documents> {
    const given: typeof inputs = {};
    for (const [column, input] of Object.entries(inputs) as [TextField, unknown][]) {
      // Copying it to another process recurses at each level.
      if (isDeep(input)) errors.push({ field: this.#fieldOf(column), message: 'Le texte a trop de niveaux imbriqués.' });
      else given[column] = input;
    }
    if (Object.values(given).every(isNothing)) return Object.fromEntries(Object.keys(given).map((column) => [column, null]));
    const { documents, faults, remarks } = await readTexts(given);
    for (const remark of remarks) this.remarks.sayWithCount(remark);
    for (const [column, message] of Object.entries(faults)) errors.push({ field: this.#fieldOf(column as TextField), message });
    return Object.fromEntries(Object.entries(documents).map(([column, json]) => [column, json && richTextSchema.nodeFromJSON(json)]));
  }

  /** Makes documents ready to be stored: their images are stored, their formulas drawn. Faults go to `errors`. @throws AppError 400 */
  async write(documents: Documents, errors: FieldError[]): Promise<PreparedTexts> {
    const texts: PreparedTexts = {};
    const settled: Record<string, Node> = {};
    for (const [column, doc] of Object.entries(documents) as [TextField, Node | null][]) {
      texts[column] = { html: '', images: [] };
      if (!doc) continue;
      try {
        const { doc: shown, names } = await storeImages(this.#em, this.#context, doc, this.remarks);
        texts[column].images = names;
        if (!isEmpty(shown)) settled[column] = shown;
      } catch (error) {
        if (!(error instanceof RichTextError)) throw error;
        errors.push({ field: this.#fieldOf(column), message: error.message });
      }
    }
    if (errors.length > 0 || Object.keys(settled).length === 0) return texts;
    const json = Object.fromEntries(Object.entries(settled).map(([column, doc]) => [column, doc.toJSON()]));
    const { html, remarks } = await writeTexts(json);
    for (const remark of remarks) this.remarks.sayWithCount(remark);
    for (const column of Object.keys(html) as TextField[]) (texts[column] as PreparedText).html = html[column] ?? '';
    return texts;
  }
}

const isNothing = (input: unknown): boolean => input === null || input === undefined || input === '';

/** Lists and objects inside one another, at most: a document of the greatest depth has about 80. */
const maxLevels = 100;

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
