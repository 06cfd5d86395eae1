import type { Writer } from '../writer/writer.ts';
import type { Context, Reading, Source } from './context.ts';

const kept = ['id', 'kind', 'points', 'fixed', 'value', 'tolerance', 'unit', 'accepted', 'right', 'unusable'];
const parents: Record<string, string> = { header: 'section', article: 'section', footer: 'section', aside: 'article' };

/** Reads our own questions, as copied from the editor or sent by an API client. The schema's parser checks their attributes. */
export class QuestionReader {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Returns undefined for an element that is no part of a question. */
  read({ element, tag, classes }: Source, inner: Context): Reading | undefined {
    const writer = this.#writer;
    const isQuestion = tag === 'section' && classes.includes('question') && writer.isOutermost && element.querySelector('header') !== null;
    if (!isQuestion && !this.#isPart(element, tag)) return undefined;
    const part = writer.document.createElement(tag);
    if (isQuestion) part.setAttribute('class', 'question');
    for (const name of kept) {
      const value = element.getAttribute(`data-${name}`);
      if (value !== null) part.setAttribute(`data-${name}`, value);
    }
    writer.block(part);
    writer.enter(part);
    return {
      context: { ...inner, paragraph: false, tag: 'p', indent: 0, list: null },
      leave: () => {
        writer.endLine();
        // The schema requires a block before a remark, perhaps an empty one.
        const isEmpty = !part.firstChild || part.firstElementChild?.localName === 'aside';
        if (!isQuestion && isEmpty) part.prepend(writer.document.createElement('p'));
        writer.leave();
      },
    };
  }

  /** Returns whether the element is a part of the question that is being written. */
  #isPart(element: Element, tag: string): boolean {
    const parent = element.parentElement;
    return parents[tag] !== undefined && parent?.localName === parents[tag] && this.#writer.isIn(parents[tag]);
  }
}
