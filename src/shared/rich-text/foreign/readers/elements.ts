import { formulaElement } from '../../formula-element.ts';
import { FormulaReader, isKeepable } from '../formulas/formulas.ts';
import { blockStyle, indentation } from '../styles/block-style.ts';
import type { ElementStyle, StyleSheet } from '../styles/style-sheet.ts';
import { textStyle } from '../styles/text-style.ts';
import { BOXES, DRAWINGS, FIELDS, FRAMES, LISTS, SILENT } from '../support/element-kinds.ts';
import type { Notes } from '../support/notes.ts';
import { tabs } from '../writer/inline-writer.ts';
import type { Writer } from '../writer/writer.ts';
import { codeLanguage, codeText } from './code-text.ts';
import { type Context, type Reading, type Source, textBlock } from './context.ts';
import { ListReader } from './list-reader.ts';
import { MediaReader } from './media-reader.ts';
import { QuestionReader } from './question-reader.ts';
import { TableReader } from './table-reader.ts';
import { headingLevel, isHidden, isReviewComment, WordComments } from './word.ts';
import type { WordItem } from './word-lists.ts';

/** Converts each element of a source to blocks, marks or text of our schema. */
export class Elements {
  readonly #writer: Writer;
  readonly #sheet: StyleSheet;
  readonly #notes: Notes;
  readonly #formulas = new FormulaReader();
  readonly #lists: ListReader;
  readonly #tables: TableReader;
  readonly #questions: QuestionReader;
  readonly #word: WordComments;
  readonly #media: MediaReader;
  #googleDocs = false;

  constructor(writer: Writer, sheet: StyleSheet, notes: Notes) {
    this.#writer = writer;
    this.#sheet = sheet;
    this.#notes = notes;
    this.#lists = new ListReader(writer, sheet, notes);
    this.#tables = new TableReader(writer, notes);
    this.#questions = new QuestionReader(writer);
    this.#word = new WordComments(notes);
    this.#media = new MediaReader(writer, sheet, notes, this.#formulas);
  }

  style(element: Element): ElementStyle {
    return this.#sheet.of(element, element.localName, []);
  }

  comment(data: string, context: Context): void {
    for (const { latex, display } of this.#word.read(data)) this.#writeLatex(latex, display, context);
  }

  /** Starts reading an element. Returns null if its content is not to be read. */
  enter(element: Element, context: Context): Reading | null {
    const tag = element.localName.toLowerCase();
    if (this.#word.isFallback(element, tag)) return null;
    const classes = (element.getAttribute('class') ?? '').split(/\s+/, 50).filter(Boolean);
    const formula = this.#formulas.read(element, tag, classes);
    if (formula) return this.#formula(element, formula.latex, formula.display, context);
    // EOP: Word Online's mark of a paragraph's end.
    if (SILENT.has(tag) || classes.includes('EOP')) return null;
    // Styles of Word's links are ignored: a link has its own look here.
    const themed = classes.some((name) => name.startsWith('MsoHyperlink'));
    const style = themed ? { all: {}, inline: {} } : this.#sheet.of(element, tag, classes);
    const source = { element, tag, classes, style };
    if (isHidden(element, style.all)) {
      if (/\S/.test(element.textContent ?? '')) this.#notes.add('hidden');
      return null;
    }
    if (isReviewComment(classes, style.all)) {
      if (style.all['mso-element'] === 'comment') this.#notes.add('comment');
      return style.all['mso-element'] === 'comment-list' ? { context } : null;
    }
    const isCard = tag === 'div' && classes.includes('video') && element.getAttribute('data-video') !== null;
    if (isCard || DRAWINGS.has(tag) || FIELDS.has(tag) || FRAMES.has(tag) || tag === 'nav') return this.#media.thing(source, context);
    if (tag === 'img') return this.#media.image(source, context);
    if (tag === 'hr') return this.#rule(context);
    if (tag === 'br') return this.#lineBreak(source, context);
    if (element.getAttribute('id')?.startsWith('docs-internal-guid')) this.#googleDocs = true;
    if (style.all['mso-tab-count']) {
      this.#writer.text(
        tabs(Number(style.all['mso-tab-count'].split(/\s/)[0]) || 1),
        { ...context.text, spaces: 'kept' },
        textBlock(context),
      );
      return null;
    }
    if (tag === 'col') context.table?.column(element, style.all);
    return BOXES.has(tag) ? this.#box(source, context) : { context: this.#inside(source, context) };
  }

  /** Returns the context of an element's content. */
  #inside({ element, tag, classes, style }: Source, context: Context): Context {
    const text = textStyle(element, tag, classes, style.all, context.text, this.#notes);
    return text === context.text ? context : { ...context, text };
  }

  #box(source: Source, context: Context): Reading | null {
    const { element, tag, classes, style } = source;
    if (context.inline) return this.#lineInCaption(source, context);
    const block = blockStyle(element, tag, classes, style.all, context.block);
    const found = this.#lists.wordItem(source, block);
    if (tag === 'pre' || tag === 'listing' || tag === 'xmp' || classes.includes('ql-code-block-container')) return this.#code(element);
    this.#writer.endLine();
    const level = headingLevel(source);
    const label = found && this.#writtenLabel(found, level);
    const item = label ? null : found;
    // Headings and header cells keep inline styles except the weight: style sheet rules only describe the program's look of headings.
    const shown = level !== null || tag === 'th' ? { ...style.inline, 'font-weight': undefined } : style.all;
    const text = textStyle(element, tag, classes, shown, context.text, this.#notes);
    const inner: Context = { ...context, text, block };
    if (level !== null || tag === 'p' || tag === 'dt' || item)
      return this.#textBlock(source, { ...inner, tag: level === null ? 'p' : `h${level}` }, item !== null, label);
    if (LISTS.has(tag)) return this.#lists.list(source, inner);
    if (tag === 'li') return this.#lists.item(source, inner);
    if (tag === 'figure') return this.#media.figure(source, inner);
    if (tag === 'blockquote') return this.#quote(source, inner);
    const question = this.#questions.read(source, inner);
    if (question) return question;
    const cell = this.#tables.read(source, inner);
    if (cell !== undefined) return cell;
    const deeper =
      tag === 'dd'
        ? 1
        : classes.some((name) => /^(?:ql-)?indent-\d$/.test(name))
          ? indentation(classes, {}, null)
          : indentation([], { 'margin-left': style.inline['margin-left'] }, null);
    return {
      context: { ...inner, paragraph: false, indent: Math.min(8, context.indent + (tag === 'div' && !hasOnlyText(element) ? 0 : deeper)) },
      leave: () => this.#writer.endLine(),
    };
  }

  /** Returns a number that must become text: of a heading, or one among words. Null for a list's number. */
  #writtenLabel({ label, place, worded }: WordItem, level: number | null): string | null {
    if (label === '' || place.kind === 'ul' || (level === null && !worded)) return null;
    this.#notes.add(level === null ? 'label' : 'numberedHeading');
    return label;
  }

  #textBlock(source: Source, inner: Context, isItem: boolean, label: string | null): Reading {
    const writer = this.#writer;
    const { classes, style } = source;
    const continued = isItem || label ? null : this.#lists.continuation(source, inner);
    const target = isItem ? this.#lists.placeWordItem() : continued;
    if (target) writer.enter(target, null, 0);
    // The space for a list number is not an indentation.
    const indent = target || inner.inList || label ? 0 : Math.min(8, inner.indent + indentation(classes, style.all, inner.block.dir));
    const kept = inner.inList
      ? indentation(
          classes.filter((name) => /indent-/.test(name)),
          {},
          null,
        )
      : indent;
    const context: Context = { ...inner, paragraph: true, indent: kept, inList: inner.inList || target !== null };
    const before = writer.written;
    if (label) writer.text(`${label} `, inner.text, textBlock(context));
    return {
      context,
      leave: () => {
        writer.endLine();
        // Empty lines inside an item are Word's spacing.
        if (continued) dropEmptyEnd(continued);
        else if (writer.written === before) writer.emptyBlock(textBlock(context));
        if (target) writer.leave();
      },
    };
  }

  #quote({ style }: Source, inner: Context): Reading {
    const writer = this.#writer;
    // Browsers' editing commands indent with a borderless blockquote.
    const isIndent = /^(?:none|0)/.test(style.inline.border ?? '') || !writer.hasRoom;
    if (isIndent) return { context: { ...inner, indent: Math.min(8, inner.indent + 1) }, leave: () => writer.endLine() };
    const quote = writer.document.createElement('blockquote');
    writer.block(quote);
    writer.enter(quote);
    return {
      context: { ...inner, paragraph: false, tag: 'p', indent: 0, list: null },
      leave: () => {
        writer.endLine();
        if (!quote.firstChild) writer.emptyBlock(textBlock({ ...inner, tag: 'p' }));
        writer.leave();
      },
    };
  }

  #code(pre: Element): null {
    const block = this.#writer.document.createElement('pre');
    const code = this.#writer.document.createElement('code');
    const language = codeLanguage(pre);
    if (language) code.setAttribute('class', `language-${language}`);
    code.appendChild(this.#writer.document.createTextNode(codeText(pre)));
    block.appendChild(code);
    this.#writer.block(block);
    return null;
  }

  #formula(element: Element, latex: string | null, display: boolean, context: Context): null {
    if (latex === '') return null;
    if (latex === null) {
      this.#notes.add('equation');
      const text = element.textContent ?? '';
      if (text) this.#writer.text(text, context.text, textBlock(context));
    } else this.#writeLatex(latex, display, context);
    return null;
  }

  #writeLatex(latex: string, display: boolean, context: Context): void {
    if (!isKeepable(latex)) {
      this.#notes.add('latex');
      this.#writer.text(latex, { ...context.text, code: true }, textBlock(context));
      return;
    }
    const block = display && context.tag === 'p' && !context.inline;
    const formula = formulaElement(this.#writer.document, latex, block);
    if (block) this.#writer.block(formula);
    else this.#writer.atom(formula, context.text, textBlock(context));
  }

  /** Separates blocks inside a caption by spaces, since a caption is one line. */
  #lineInCaption(source: Source, context: Context): Reading {
    this.#writer.text(' ', context.text, textBlock(context));
    return { context: this.#inside(source, context) };
  }

  #lineBreak({ element, style }: Source, context: Context): null {
    const writer = this.#writer;
    if (style.all['page-break-before'] || element.getAttribute('class') === 'Apple-interchange-newline') return null;
    if (writer.lineBreak(context.text, !context.paragraph)) return null;
    const alone = !element.previousSibling && !element.nextSibling;
    if (!context.inline && ((this.#googleDocs && !context.paragraph) || (alone && element.parentElement?.localName === 'div'))) {
      writer.emptyBlock(textBlock(context));
    } else if (context.paragraph && !context.inline) writer.openLine(textBlock(context), context.text);
    return null;
  }

  #rule(context: Context): null {
    if (!context.inline) this.#writer.block(this.#writer.document.createElement('hr'));
    return null;
  }
}

function dropEmptyEnd(item: Element): void {
  const last = item.lastElementChild;
  if (last?.localName === 'p' && !last.firstChild && last !== item.firstElementChild) item.removeChild(last);
}

/** Returns whether a `div` serves as a paragraph. */
function hasOnlyText(element: Element): boolean {
  for (let child = element.firstElementChild, count = 0; child; child = child.nextElementSibling, count += 1) {
    if (count > 50 || BOXES.has(child.localName)) return false;
  }
  return true;
}
