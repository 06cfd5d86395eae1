import { parseHTML } from 'linkedom';
import type { Node } from 'prosemirror-model';
import { escapeHtml, escapeText } from '../../../../shared/escapes.ts';
import { RichTextError } from '../../../../shared/rich-text/document.ts';
import { normaliseForeign } from '../../../../shared/rich-text/foreign/normalise.ts';
import { documentFromDom } from '../../../../shared/rich-text/parse.ts';
import { readOwnHtml } from '../html/reader.ts';
import { closeMarkup } from '../html/unclosed-markup.ts';
import type { ImageIntake } from '../image-intake.ts';
import { Definitions } from '../markdown/definitions.ts';
import { liftDisplayedFormulas } from '../markdown/formulas-in-text.ts';
import { readImportedBody } from '../markdown/import-body.ts';
import { refused, tooComplex } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import type { FileText } from './file-questions.ts';
import { formulasInHtml, plainTextClass } from './formulas-in-html.ts';

/** Maximum number of characters of one text, without pictures. */
const maxCharacters = 100_000;
const SET_APART = new RegExp(`<span class="${plainTextClass}">([$\\\\]+)</span>`, 'g');
const EMBEDDED = /data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=]+)/gi;

/** Reads the texts of question files as blocks of the schema, and stores their pictures. */
export class TextReader {
  readonly #intake: ImageIntake;
  readonly #remarks: Remarks;

  constructor(intake: ImageIntake, remarks: Remarks) {
    this.#intake = intake;
    this.#remarks = remarks;
  }

  /** @throws AppError 400 when the text is too long or too deeply nested */
  async blocks(text: FileText): Promise<Node[]> {
    try {
      return await this.#read(text);
    } catch (error) {
      if (error instanceof RichTextError) throw refused(error.message, error);
      // Parsers recurse once per level.
      throw error instanceof RangeError ? tooComplex() : error;
    }
  }

  async #read({ text, format, files }: FileText): Promise<Node[]> {
    if (text.trim() === '') return [];
    if (text.length > maxCharacters && text.replaceAll(EMBEDDED, '').length > maxCharacters) throw tooComplex();
    if (format === 'markdown') return this.#markdown(text);
    const source = format === 'plain' ? htmlOf(text) : await this.#withPictures(text, files ?? new Map());
    const { html, count } = formulasInHtml(source, (message) => this.#remarks.say(message));
    // HTML that this site has exported is read exactly as it was.
    const own = count === 0 && format === 'html' && !/[\n\t]| {2}/.test(html) ? readOwnHtml(asWritten(html)) : null;
    if (own) return childrenOf(own);
    const root = parseHTML(`<!doctype html><html><body>${closeMarkup(html)}</body></html>`).document.body;
    root.normalize();
    liftDisplayedFormulas(root);
    for (const note of normaliseForeign(root).notes) this.#remarks.sayWithCount(note);
    return childrenOf(documentFromDom(root, 'collapse')).filter((block) => block.type.name !== 'paragraph' || block.content.size > 0);
  }

  async #markdown(text: string): Promise<Node[]> {
    const source = text.normalize('NFC');
    const body = await readImportedBody(
      source,
      1,
      (_line, message) => this.#remarks.say(message),
      async () => null,
      new Definitions(source, 1),
    );
    for (const remark of body.remarks) this.#remarks.say(remark);
    return childrenOf(documentFromDom(body.root));
  }

  /** Returns HTML whose pictures from the file are stored. A refused picture is removed. */
  async #withPictures(html: string, files: ReadonlyMap<string, Buffer>): Promise<string> {
    const stored = new Map<string, string | null>();
    for (const [address, name] of html.matchAll(/@@PLUGINFILE@@\/([^"'?\s<>]+)(?:\?[^"'\s<>]*)?/g)) {
      if (stored.has(address)) continue;
      const bytes = files.get(decoded(name ?? '')) ?? files.get(name ?? '');
      if (!bytes) this.#remarks.say(`Image à ajouter, elle n'est pas dans le fichier : ${(name ?? '').slice(0, 80)}`);
      stored.set(address, bytes ? await this.#keep(bytes) : null);
    }
    for (const [address, base64 = ''] of html.matchAll(EMBEDDED))
      if (!stored.has(address)) stored.set(address, await this.#keep(Buffer.from(base64, 'base64')));
    if (stored.size === 0) return html;
    // One pass over the tags of pictures: each address is replaced, or the tag is removed.
    return html.replaceAll(/<img\b[^>]*>/gi, (tag) => {
      const found = [...stored].find(([address]) => tag.includes(address));
      if (!found) return tag;
      const [address, src] = found;
      return src === null ? '' : tag.replace(address, () => escapeHtml(src));
    });
  }

  async #keep(bytes: Buffer): Promise<string | null> {
    const image = await this.#intake.keep(bytes.toString('base64', 0, 64) + bytes.length, () => bytes);
    return image?.src ?? null;
  }
}

/** Returns exported HTML as it was before `writtenHtml` set some of its characters apart. */
const asWritten = (html: string): string =>
  html.replaceAll(SET_APART, '$1').replaceAll(/&#(9|10|32|8232|8233);/g, (_, code: string) => String.fromCharCode(Number(code)));

const htmlOf = (text: string): string =>
  text
    .trim()
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => `<p>${escapeText(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('');

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  parent.forEach((block) => {
    children.push(block);
  });
  return children;
}
