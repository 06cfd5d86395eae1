import type { FormulaReader } from '../formulas/formulas.ts';
import type { StyleSheet } from '../styles/style-sheet.ts';
import { DRAWINGS, FIELDS } from '../support/element-kinds.ts';
import type { Notes } from '../support/notes.ts';
import type { Writer } from '../writer/writer.ts';
import { type Context, type Reading, type Source, textBlock } from './context.ts';
import { canonicalImage, canonicalVideo, frameAddresses, isFleeting, isTracker, linkable, lonePicture, pictogram } from './media.ts';

/** Reads elements other than text: pictures, figures, players, drawings and form fields. */
export class MediaReader {
  readonly #writer: Writer;
  readonly #sheet: StyleSheet;
  readonly #notes: Notes;
  readonly #formulas: FormulaReader;

  constructor(writer: Writer, sheet: StyleSheet, notes: Notes, formulas: FormulaReader) {
    this.#writer = writer;
    this.#sheet = sheet;
    this.#notes = notes;
    this.#formulas = formulas;
  }

  image(source: Source, context: Context): null {
    const { element, classes, style } = source;
    const character = pictogram(element, classes);
    const image = canonicalImage(this.#writer.document, element, style.all);
    if (character) this.#writer.text(character, context.text, textBlock(context));
    else if (isTracker(element)) return null;
    else if (!image) this.#notes.add('image');
    else if (context.inline) this.#notes.add('imageElsewhere');
    else {
      if (isFleeting(image)) this.#notes.add('googleImage');
      this.#writer.atom(image, context.text, textBlock(context));
    }
    return null;
  }

  /** Makes a figure if there is exactly one usable picture; otherwise only the content is read. */
  figure(source: Source, inner: Context): Reading {
    const writer = this.#writer;
    const picture = writer.hasRoom ? lonePicture(source.element) : null;
    const isFormula = picture && this.#formulas.read(picture, 'img', (picture.getAttribute('class') ?? '').split(/\s+/));
    const image = picture && !isFormula ? canonicalImage(writer.document, picture, this.#sheet.of(picture, 'img', []).all) : null;
    if (!picture || !image) return { context: { ...inner, paragraph: false }, leave: () => writer.endLine() };
    if (isFleeting(image)) this.#notes.add('googleImage');
    const figure = writer.document.createElement('figure');
    figure.appendChild(image);
    const caption = writer.document.createElement('figcaption');
    figure.appendChild(caption);
    writer.block(figure);
    writer.enterLine(caption);
    picture.parentNode?.removeChild(picture);
    return {
      context: { ...inner, inline: true, paragraph: true },
      leave: () => {
        writer.endLine();
        if (!caption.firstChild) figure.removeChild(caption);
      },
    };
  }

  /** Reads embedded content of other sites: videos are kept, reachable addresses become links, the rest gets a note. */
  thing({ element, tag }: Source, context: Context): Reading | null {
    if (tag === 'nav') this.#notes.add('navigation');
    else if (DRAWINGS.has(tag)) this.#notes.add('drawing');
    else if (FIELDS.has(tag)) return this.#field(element, tag, context);
    else return this.#player(element, tag, context);
    return null;
  }

  #field(element: Element, tag: string, context: Context): null {
    const type = (element.getAttribute('type') ?? '').toLowerCase();
    if (tag === 'input' && (type === 'checkbox' || type === 'radio')) {
      this.#writer.text(element.getAttribute('checked') === null ? '☐ ' : '☑ ', context.text, textBlock(context));
    } else if (type !== 'hidden') this.#notes.add('form');
    return null;
  }

  #player(element: Element, tag: string, context: Context): Reading | null {
    const addresses = frameAddresses(element);
    const video = context.inline
      ? null
      : canonicalVideo(
          this.#writer.document,
          addresses,
          element.getAttribute('title') ?? element.getAttribute('data-title') ?? element.getAttribute('playlabel'),
        );
    const href = linkable(addresses);
    if (video) this.#writer.block(video);
    else if (href) {
      this.#notes.add('frame');
      this.#writer.text(element.getAttribute('title') || href, { ...context.text, href }, textBlock(context));
    } else if (tag !== 'iframe' || element.getAttribute('src')) {
      this.#notes.add('object');
      // The content of `object` is its fallback.
      return tag === 'object' ? { context } : null;
    }
    return null;
  }
}
