import { blockStyle, indentation } from './block-style.ts';
import { codeLanguage, codeText } from './code-text.ts';
import { BOXES, DRAWINGS, FIELDS, FRAMES, LISTS, SILENT } from './element-kinds.ts';
import { FormulaReader, isKeepable } from './formulas.ts';
import { tabs } from './inline-writer.ts';
import { ListReader } from './list-reader.ts';
import { canonicalImage, canonicalVideo, frameAddresses, isFleeting, isTracker, linkable, lonePicture, pictogram } from './media.ts';
import type { Notes } from './notes.ts';
import { type Context, type Reading, textBlock } from './reader.ts';
import type { ElementStyle, StyleSheet } from './style-sheet.ts';
import { TableReader } from './table-reader.ts';
import { textStyle } from './text-style.ts';
import { headingLevel, isHidden, isReviewComment, WordComments } from './word.ts';
import type { Writer } from './writer.ts';

/** An element with what is asked of it again and again. */
export interface Source {
  readonly element: Element;
  readonly tag: string;
  readonly classes: readonly string[];
  readonly style: ElementStyle;
}

/** Says what each element of a source becomes. */
export class Elements {
  readonly #writer: Writer;
  readonly #sheet: StyleSheet;
  readonly #notes: Notes;
  readonly #formulas = new FormulaReader();
  readonly #lists: ListReader;
  readonly #tables: TableReader;
  readonly #word: WordComments;
  #googleDocs = false;

  constructor(writer: Writer, sheet: StyleSheet, notes: Notes) {
    this.#writer = writer;
    this.#sheet = sheet;
    this.#notes = notes;
    this.#lists = new ListReader(writer, sheet, notes);
    this.#tables = new TableReader(writer, notes);
    this.#word = new WordComments(notes);
  }

  style(element: Element): ElementStyle {
    return this.#sheet.of(element, element.localName, []);
  }

  comment(data: string): void {
    this.#word.read(data);
  }

  /** Null: nothing of what is inside is read. */
  enter(element: Element, context: Context): Reading | null {
    const tag = element.localName.toLowerCase();
    const classes = (element.getAttribute('class') ?? '').split(/\s+/, 50).filter(Boolean);
    const formula = this.#formulas.read(element, tag, classes);
    if (formula) return this.#formula(element, formula.latex, formula.display, context);
    // Word Online's mark of a paragraph's end.
    if (SILENT.has(tag) || classes.includes('EOP')) return null;
    // A link's look is the link's; the sheet's part of it is a theme.
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
    if (isCard || DRAWINGS.has(tag) || FIELDS.has(tag) || FRAMES.has(tag) || tag === 'nav') return this.#foreignThing(source, context);
    if (tag === 'img') return this.#image(source, context);
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

  /** What an element's content inherits. */
  #inside({ element, tag, classes, style }: Source, context: Context): Context {
    const text = textStyle(element, tag, classes, style.all, context.text, this.#notes);
    return text === context.text ? context : { ...context, text };
  }

  #box(source: Source, context: Context): Reading | null {
    const { element, tag, classes, style } = source;
    if (context.inline) return this.#lineInCaption(source, context);
    const block = blockStyle(element, tag, classes, style.all, context.block);
    const item = this.#lists.wordItem(source, block);
    if (tag === 'pre' || tag === 'listing' || tag === 'xmp' || classes.includes('ql-code-block-container')) return this.#code(element);
    this.#writer.endLine();
    const level = headingLevel(source);
    // A heading's weight and colour are how its program shows headings; what was done to it by hand is its author's.
    const shown = level !== null || tag === 'th' ? { ...style.inline, 'font-weight': undefined } : style.all;
    const text = textStyle(element, tag, classes, shown, context.text, this.#notes);
    const inner: Context = { ...context, text, block };
    if (level !== null || tag === 'p' || tag === 'dt' || item)
      return this.#textBlock(source, { ...inner, tag: level === null ? 'p' : `h${level}` }, item !== null);
    if (LISTS.has(tag)) return this.#lists.list(source, inner);
    if (tag === 'li') return this.#lists.item(source, inner);
    if (tag === 'figure') return this.#figure(source, inner);
    if (tag === 'blockquote') return this.#quote(source, inner);
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

  #textBlock(source: Source, inner: Context, isItem: boolean): Reading {
    const writer = this.#writer;
    const { classes, style } = source;
    const continued = isItem ? null : this.#lists.continuation(source, inner);
    const target = isItem ? this.#lists.placeWordItem(source, inner) : continued;
    if (target) writer.enter(target, null, 0);
    const indent = target || inner.inList ? 0 : Math.min(8, inner.indent + indentation(classes, style.all, inner.block.dir));
    const kept = inner.inList
      ? indentation(
          classes.filter((name) => /indent-/.test(name)),
          {},
          null,
        )
      : indent;
    const context: Context = { ...inner, paragraph: true, indent: kept, inList: inner.inList || target !== null };
    const before = writer.written;
    return {
      context,
      leave: () => {
        writer.endLine();
        // An empty line within an item is Word's spacing.
        if (continued) dropEmptyEnd(continued);
        else if (writer.written === before) writer.emptyBlock(textBlock(context));
        if (target) writer.leave();
      },
    };
  }

  #quote({ style }: Source, inner: Context): Reading {
    const writer = this.#writer;
    // The way in which browsers' own editing indents.
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
    } else if (!isKeepable(latex)) {
      this.#notes.add('latex');
      this.#writer.text(latex, { ...context.text, code: true }, textBlock(context));
    } else this.#writeFormula(latex, display, context);
    return null;
  }

  #writeFormula(latex: string, display: boolean, context: Context): void {
    const block = display && context.tag === 'p' && !context.inline;
    const formula = this.#writer.document.createElement(block ? 'div' : 'span');
    formula.setAttribute('class', block ? 'formula-block' : 'formula');
    formula.setAttribute('data-latex', latex);
    if (block) this.#writer.block(formula);
    else this.#writer.atom(formula, context.text, textBlock(context));
  }

  #image(source: Source, context: Context): null {
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

  /** A figure of ours around one usable picture; any other is its content. */
  #figure(source: Source, inner: Context): Reading {
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

  /** Blocks in a caption follow one another in its line. */
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

  #foreignThing({ element, tag }: Source, context: Context): Reading | null {
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
      // What is inside is there for those who cannot show it.
      return tag === 'object' ? { context } : null;
    }
    return null;
  }
}

function dropEmptyEnd(item: Element): void {
  const last = item.lastElementChild;
  if (last?.localName === 'p' && !last.firstChild && last !== item.firstElementChild) item.removeChild(last);
}

/** Whether a `div` is a paragraph by another name. */
function hasOnlyText(element: Element): boolean {
  for (let child = element.firstElementChild, count = 0; child; child = child.nextElementSibling, count += 1) {
    if (count > 50 || BOXES.has(child.localName)) return false;
  }
  return true;
}
