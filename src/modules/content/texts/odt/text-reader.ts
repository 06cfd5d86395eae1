import { displayAlone } from '../docx/displayed-equations.ts';
import { type Piece, paragraphOf, type Wrap } from '../docx/pieces.ts';
import type { ParagraphShape } from '../docx/reading.ts';
import { emphasisOf, isEmphasised, linkTo, nameRefusedLink, textOf } from '../docx/runs.ts';
import { attribute, child, elementsOf, nameOf } from '../docx/xml.ts';
import { tooComplex } from '../refusal.ts';
import { counted, REVISIONS } from '../remarks.ts';
import { type Frames, isDrawing } from './frames.ts';
import { wholeNumber } from './lengths.ts';
import { type Around, isImage, isLineBreak, type Line, newLine, ruleMark } from './line.ts';
import { type ItemContent, itemAbove, Lists, levelsWithoutItem, sayNumberedHeading } from './lists.ts';
import type { Counters } from './numbering.ts';
import type { OdtReading } from './reading.ts';
import type { OdtParagraphStyle } from './styles.ts';
import { Tables } from './tables.ts';

/** Maximum number of paragraphs of a document. */
const maxParagraphs = 10_000;
/** Maximum number of characters of a paragraph that a remark may quote. */
const maxSaid = 100;
/** Most spaces that one element may stand for. */
const maxSpaces = 200;

const plain: ItemContent = { label: '', isInItem: false, left: 0 };
/** Blocks that show nothing. */
const SILENT =
  /^(?:text:(?:.*-decls|soft-page-break|change(?:-start|-end)?|index-title-template|.*-source|.*-mark(?:-start|-end)?|bookmark(?:-start|-end)?|list-level.*|note-citation)|office:(?:forms|annotation-end|scripts|event-listeners)|table:.*|svg:.*|draw:glue-point)$/;

/** Reads the text of an .odt file as HTML paragraphs, lists and tables, with styles, changes, fields and drawings resolved. */
export class OdtTextReader {
  readonly #reading: OdtReading;
  readonly #frames: Frames;
  readonly #lists: Lists;
  readonly #tables: Tables;
  readonly #headings: Counters = [];
  /** Number of tables around the current paragraph. */
  #depth = 0;
  #count = 0;

  constructor(reading: OdtReading, frames: Frames) {
    this.#reading = reading;
    this.#frames = frames;
    this.#lists = new Lists(reading, (element, content) => this.#block(element, content));
    this.#tables = new Tables(reading, (cell, source) => this.fill(cell, source));
  }

  /** Appends the content of a body, cell or note to an element. @throws AppError 400 when the document is too long */
  fill(element: Element, source: Element): void {
    // Appended one by one: there may be more blocks than a call can have arguments.
    for (const block of this.#blocks(source)) element.append(block);
  }

  #blocks(parent: Element, content = plain): Element[] {
    const blocks: Element[] = [];
    for (const element of elementsOf(parent)) {
      const read = this.#block(element, content);
      const owner = nameOf(element) === 'text:list' ? itemAbove(blocks.at(-1), levelsWithoutItem(element)) : null;
      for (const block of read) {
        if (owner) owner.append(block);
        else blocks.push(block);
      }
    }
    return blocks;
  }

  #block(element: Element, content: ItemContent): Element[] {
    const { remarks } = this.#reading;
    const name = nameOf(element);
    if (name === 'text:p' || name === 'text:h') return this.#paragraph(element, content);
    if (name === 'text:list') return this.#lists.read(element);
    if (name === 'table:table') return this.#table(element);
    if (name === 'text:tracked-changes') {
      if (elementsOf(element).length > 0) remarks.say(REVISIONS);
      return [];
    }
    if (name === 'text:section') return this.#section(element, content);
    if (name === 'text:table-of-content') remarks.say('La table des matières a été laissée de côté.');
    else if (/^text:(?:alphabetical|illustration|table|object|user)-index$/.test(name)) remarks.say('Un index a été laissé de côté.');
    else if (name === 'office:annotation') this.#annotation();
    else if (isDrawing(element)) return this.#anchored(element);
    else if (!SILENT.test(name)) return this.#blocks(element, content);
    return [];
  }

  #table(element: Element): Element[] {
    this.#depth += 1;
    const table = this.#tables.read(element);
    this.#depth -= 1;
    return table;
  }

  #section(section: Element, content: ItemContent): Element[] {
    const isHidden = attribute(section, 'text:display') === 'none';
    if (!isHidden) return this.#blocks(section, content);
    this.#hidden(section.textContent ?? '');
    return [];
  }

  /** Reads a drawing that is anchored to the page instead of a paragraph. */
  #anchored(element: Element): Element[] {
    const line = newLine(null, false, false);
    this.#drawing(element, line, null);
    return this.#finished(line, this.#shapeOf(this.#reading.styles.paragraph(null), null, plain));
  }

  #paragraph(element: Element, content: ItemContent): Element[] {
    const { styles } = this.#reading;
    const name = attribute(element, 'text:style-name');
    const style = styles.paragraph(name);
    const level = nameOf(element) === 'text:h' ? Math.max(1, wholeNumber(attribute(element, 'text:outline-level')) ?? 1) : null;
    const shape = this.#shapeOf(style, level, content);
    const line = newLine(name, shape.role !== 'body', shape.role === 'code');
    const label = content.label || (level === null ? '' : this.#headingNumber(element, level));
    this.#inlines(element, line, { spans: [], link: null });
    if (line.pieces.length > 0 && label !== '') line.pieces.unshift({ node: `${label} `, wraps: [] });
    if (line.pieces.length === 0 && style.hasRule) line.pieces.push({ node: ruleMark(this.#reading.document), wraps: [] });
    if (this.#depth === 0 && !content.isInItem && shape.role === 'body') displayAlone(line.pieces, this.#reading);
    return this.#finished(line, shape);
  }

  #headingNumber(heading: Element, level: number): string {
    if (attribute(heading, 'text:is-list-header') === 'true' || (heading.textContent ?? '').trim() === '') return '';
    const start =
      attribute(heading, 'text:restart-numbering') === 'true' ? (wholeNumber(attribute(heading, 'text:start-value')) ?? 1) : null;
    const number = this.#reading.numbering.heading(level, this.#headings, start);
    if (number !== '') sayNumberedHeading(this.#reading);
    return number;
  }

  #shapeOf(style: OdtParagraphStyle, level: number | null, { left, isInItem }: ItemContent): ParagraphShape {
    if (level !== null && level > 6) this.#reading.remarks.say('Les titres de niveau 7 à 10 sont devenus des titres de niveau 6.');
    return {
      role: level === null ? style.role : 'heading',
      level: Math.min(6, level ?? 0),
      align: style.align,
      left: isInItem ? 0 : (level === null && left) || style.left,
      isRightToLeft: style.isRightToLeft,
      list: null,
      isListText: false,
    };
  }

  /** Returns the blocks of a paragraph that has been read: the picture above a caption, the paragraph, and its text boxes. */
  #finished({ pieces, after }: Line, shape: ParagraphShape): Element[] {
    const { document, paragraphs } = this.#reading;
    const write = (content: readonly Piece[], own: ParagraphShape): Element => {
      this.#count += 1;
      if (this.#count > maxParagraphs) throw tooComplex();
      const paragraph = paragraphOf(document, content);
      paragraphs.set(paragraph, own);
      return paragraph;
    };
    if (pieces.length === 0) return after;
    const pictures = pieces.filter(({ node }) => isImage(node));
    if (shape.role !== 'caption' || pictures.length === 0) return [write(pieces, shape), ...after];
    const caption = pieces.filter(({ node }) => !isImage(node) && !isLineBreak(node));
    return [...pictures.map((picture) => write([picture], { ...shape, role: 'body' })), write(caption, shape), ...after];
  }

  #inlines(parent: Element, line: Line, around: Around): void {
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3 || node.nodeType === 4) this.#text((node as Text).data, line, around);
      else if (node.nodeType === 1) this.#inline(node as Element, line, around);
    }
  }

  #inline(element: Element, line: Line, around: Around): void {
    const { remarks, document } = this.#reading;
    const name = nameOf(element);
    switch (name) {
      case 'text:span': {
        const style = attribute(element, 'text:style-name');
        this.#inlines(element, line, style === null ? around : { ...around, spans: [...around.spans, style] });
        return;
      }
      case 'text:s':
        this.#write(' '.repeat(Math.min(maxSpaces, wholeNumber(attribute(element, 'text:c')) ?? 1)), line, around);
        return;
      case 'text:tab':
        this.#write('\t', line, around);
        return;
      case 'text:line-break':
        line.pieces.push({ node: document.createElement('br'), wraps: [] });
        line.isAtSpace = true;
        return;
      case 'text:a':
        this.#link(element, line, around);
        return;
      case 'text:note':
        this.#note(element, line);
        return;
      case 'text:ruby':
        remarks.say("L'annotation au-dessus des mots (guide phonétique) a été laissée de côté.");
        this.#inlines(child(element, 'text:ruby-base') ?? element, line, around);
        return;
      case 'text:hidden-text':
      case 'text:hidden-paragraph':
        this.#hidden(element.textContent ?? '');
        return;
      case 'text:meta-field':
      case 'text:meta':
        this.#inlines(element, line, around);
        return;
      case 'office:annotation':
        this.#annotation();
        return;
      default:
        if (isDrawing(element)) this.#drawing(element, line, around.link);
        else if (name === 'text:list' || name === 'table:table' || name === 'text:p') line.after.push(...this.#block(element, plain));
        else if (!SILENT.test(name)) this.#inlines(element, line, around);
    }
  }

  /** Writes text as the file's text nodes have it: a run of white space is one space, none at the start. */
  #text(source: string, line: Line, around: Around): void {
    let text = source.replaceAll(/[ \t\r\n]+/g, ' ');
    if (line.isAtSpace && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    this.#write(text, line, around);
    line.isAtSpace = text.endsWith(' ');
  }

  #write(text: string, line: Line, { spans, link }: Around): void {
    const { styles, remarks } = this.#reading;
    const style = styles.run(spans, line.style, line.isPlain);
    line.isAtSpace = false;
    if (style.isHidden) {
      this.#hidden(text);
      return;
    }
    if (style.isCapitals && /\p{Ll}/u.test(text)) remarks.say('Les majuscules de mise en forme sont devenues des lettres ordinaires.');
    if (line.isCode && text.trim() !== '' && (link !== null || isEmphasised(style)))
      remarks.count('code', (n) => `Blocs de code : ${counted(n, 'passage')} sans sa mise en évidence ni son lien.`);
    const wraps: Wrap[] = [...linkTo(link), ...emphasisOf(style, link !== null)];
    const node = textOf(text, style.font, this.#reading);
    line.said = (line.said + node).slice(-maxSaid);
    line.pieces.push({ node, wraps });
  }

  #link(element: Element, line: Line, around: Around): void {
    const href = attribute(element, 'xlink:href') ?? '';
    const before = line.pieces.length;
    this.#inlines(element, line, { ...around, link: href });
    if (line.pieces.length > before) nameRefusedLink(href, this.#reading.remarks);
  }

  #note(note: Element, line: Line): void {
    const { document, references } = this.#reading;
    const item = document.createElement('li');
    const depth = this.#depth;
    // A note of a table stands behind the text, outside of the table.
    this.#depth = 0;
    const body = child(note, 'text:note-body');
    if (body) this.fill(item, body);
    this.#depth = depth;
    const reference = document.createElement('sup');
    references.set(reference, item);
    line.pieces.push({ node: reference, wraps: [] });
    line.isAtSpace = false;
  }

  #drawing(element: Element, line: Line, link: string | null): void {
    const { marks, boxes } = this.#frames.read(element, line.said);
    const address = nameOf(element) === 'draw:a' ? attribute(element, 'xlink:href') : null;
    for (const node of marks) line.pieces.push({ node, wraps: linkTo(link ?? address) });
    if (marks.length > 0) line.isAtSpace = false;
    for (const box of boxes) line.after.push(...this.#blocks(box));
  }

  #hidden(text: string): void {
    if (text.trim() !== '') this.#reading.remarks.countOf(['passage masqué', 'passages masqués'], ' dans le document, non repris.');
  }

  #annotation(): void {
    this.#reading.remarks.countOf('commentaire', ' de relecture, sans place ici.');
  }
}
