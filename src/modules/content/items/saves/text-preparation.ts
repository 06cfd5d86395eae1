import type { EntityManager } from '@mikro-orm/postgresql';
import type { Node } from 'prosemirror-model';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import type { TextField } from '../../../../shared/item-kinds.ts';
import { type QuestionKey, withoutKeys } from '../../../../shared/questions/question-keys.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { isEmpty } from '../../../../shared/rich-text/emptiness.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { readTexts, writeTexts } from '../../texts/client/text-worker.ts';
import { Remarks } from '../../texts/remarks.ts';
import { idsOfOtherItems } from '../questions/question.repository.ts';
import { questionIds, withQuestionIds } from '../questions/question-ids.ts';
import { questionRemarks } from '../questions/question-remarks.ts';
import { wholeTextNeeded, withStoredTexts } from './stored-texts.ts';
import { storeImages } from './text-images.ts';

/** A text ready to be stored. */
interface PreparedText {
  /** Canonical HTML; '' for a text without content. */
  html: string;
  /** Names of the stored images that the text shows. */
  images: string[];
  /** Keys of the text's questions, in order; the HTML has none. */
  keys: QuestionKey[];
  /** Whether the document of the request is stored unchanged. */
  isAsSent: boolean;
}

/** The texts of a save by column. An omitted text has no key. */
export type PreparedTexts = Partial<Record<TextField, PreparedText>>;

type Documents = Partial<Record<TextField, Node | null>>;

/**
 * Prepares the texts of a request for storage. One task of the worker process reads them, a second one writes them.
 * Between the two tasks this process stores their images, since it has the database connection; a worker waiting for the database
 * would delay other saves (docs/decisions/020-texts-in-a-process-of-their-own.md).
 */
export class TextPreparation {
  readonly remarks = new Remarks();
  readonly #em: EntityManager;
  readonly #context: UseCaseContext;
  /** Returns the API's field name for a column. */
  readonly #fieldOf: (column: TextField) => string;
  /** Null for a new item. */
  readonly #itemId: number | null;

  constructor(em: EntityManager, context: UseCaseContext, fieldOf: (column: TextField) => string, itemId: number | null = null) {
    this.#itemId = itemId;
    this.#em = em;
    this.#context = context;
    this.#fieldOf = fieldOf;
  }

  /**
   * Reads the documents of a request, given as HTML or JSON. Stores nothing. Pushes faults to `errors`.
   * @throws AppError 400 when a text exceeds the limits of time or memory, 409 when a difference is not one to the stored text
   */
  async read(inputs: Partial<Record<TextField, unknown>>, errors: FieldError[]): Promise<Documents> {
    const shallow: typeof inputs = {};
    for (const [column, input] of Object.entries(inputs) as [TextField, unknown][]) {
      // Refused here: the structured clone for the worker recurses once per level.
      if (isDeep(input)) errors.push({ field: this.#fieldOf(column), message: 'Le texte a trop de niveaux imbriqués.' });
      else shallow[column] = input;
    }
    const given = await withStoredTexts(this.#em, this.#itemId, shallow, { fieldOf: this.#fieldOf, errors });
    const { whole, changes } = given;
    if (Object.keys(changes).length === 0 && Object.values(whole).every(isNothing))
      return Object.fromEntries(Object.keys(whole).map((column) => [column, null]));
    const { documents, faults, remarks, isOtherBase } = await readTexts(given);
    if (isOtherBase) throw wholeTextNeeded();
    for (const remark of remarks) this.remarks.sayWithCount(remark);
    for (const [column, message] of Object.entries(faults)) errors.push({ field: this.#fieldOf(column as TextField), message });
    return Object.fromEntries(Object.entries(documents).map(([column, json]) => [column, json && richTextSchema.nodeFromJSON(json)]));
  }

  /** Makes documents ready to be stored: stores their images and draws their formulas. Pushes faults to `errors`. @throws AppError 400 */
  async write(documents: Documents, errors: FieldError[]): Promise<PreparedTexts> {
    const texts: PreparedTexts = {};
    const settled: Record<string, Node> = {};
    for (const [column, doc] of Object.entries(documents) as [TextField, Node | null][]) {
      texts[column] = { html: '', images: [], keys: [], isAsSent: false };
      if (!doc) continue;
      try {
        const { doc: shown, names } = await storeImages(this.#em, this.#context, doc, this.remarks);
        texts[column].images = names;
        if (!isEmpty(shown)) {
          settled[column] = await this.#withIds(column, shown, errors);
          texts[column].isAsSent = settled[column].eq(doc);
        }
      } catch (error) {
        if (!(error instanceof RichTextError)) throw error;
        errors.push({ field: this.#fieldOf(column), message: error.message });
      }
    }
    if (errors.length > 0 || Object.keys(settled).length === 0) return texts;
    const json = Object.fromEntries(Object.entries(settled).map(([column, doc]) => [column, doc.toJSON()]));
    const { html, remarks } = await writeTexts(json);
    for (const remark of remarks) this.remarks.sayWithCount(remark);
    for (const column of Object.keys(html) as TextField[]) {
      Object.assign(texts[column] as PreparedText, withoutKeys(html[column] ?? ''));
      for (const remark of questionRemarks(settled[column] as Node)) this.remarks.say(remark);
    }
    return texts;
  }

  /** Returns the document with ids for its questions. A correction has no questions: pushes a fault to `errors`. */
  async #withIds(column: TextField, doc: Node, errors: FieldError[]): Promise<Node> {
    const ids = questionIds(doc);
    if (ids === null) return doc;
    if (column === 'corrige') {
      errors.push({ field: this.#fieldOf(column), message: 'Une question se place dans le texte, pas dans le corrigé.' });
      return doc;
    }
    return withQuestionIds(doc, await idsOfOtherItems(this.#em, ids, this.#itemId));
  }
}

const isNothing = (input: unknown): boolean => input === null || input === undefined || input === '';

/** Deepest nesting of lists and objects. The deepest valid document has about 80 levels. */
const maxLevels = 100;

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxLevels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
