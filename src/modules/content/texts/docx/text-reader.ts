import { ommlToLatex } from '../../../../shared/omml/omml-to-latex.ts';
import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { tooComplex } from '../refusal.ts';
import { counted, REVISIONS } from '../remarks.ts';
import { displayAlone } from './displayed-equations.ts';
import { chosen, Drawings } from './drawings.ts';
import { checkBoxOf, choiceOf, Fields, linkOf, oldEquationOf, symbolFieldOf } from './fields.ts';
import type { Relationship } from './package.ts';
import { PageBreaks } from './page-breaks.ts';
import { hasRule, readParagraph } from './paragraph.ts';
import { type Piece, paragraphOf, type Wrap } from './pieces.ts';
import type { ParagraphShape, Reading } from './reading.ts';
import { emphasisOf, emphasisOfEquation, isEmphasised, linkTo, nameRefusedLink, symbolOf, textOf } from './runs.ts';
import { tableOf } from './table.ts';
import { attribute, child, descendants, elementsOf, nameOf } from './xml.ts';

/** Wrapper elements that are ignored: their content is read as if it stood there directly. */
const TRANSPARENT = new Set(
  'w:ins w:moveTo w:smartTag w:customXml w:dir w:bdo w:sdtContent w:rubyBase w:rt mc:Choice mc:Fallback'.split(' '),
);
/** Maximum number of paragraphs of a document. */
const maxParagraphs = 10_000;

/** Maximum number of characters of a paragraph that a remark may quote. */
const maxSaid = 100;

const REMOVED = new Set(['w:del', 'w:moveFrom']);

/** Shape of blocks that belong to no paragraph. */
const PLAIN: ParagraphShape = { role: 'body', level: 0, align: null, left: 0, isRightToLeft: false, list: null, isListText: false };

/**
 * Reads the text of one part as HTML paragraphs and tables, with styles, revisions, fields and drawings resolved.
 * Facts that HTML cannot hold (an element's list, the file of a picture) go into the `Reading`.
 */
export class TextReader {
  readonly #reading: Reading;
  readonly #relationships: ReadonlyMap<string, Relationship>;
  readonly #drawings: Drawings;
  readonly #fields = new Fields();
  /** State of the current paragraph. */
  #style: string | null = null;
  #isPlain = false;
  #isCode = false;
  #link: string | null = null;
  #boxes: Element[] = [];
  readonly #breaks = new PageBreaks();
  /** Text of the current paragraph so far, for remarks. */
  #said = '';
  /** Number of tables around the current paragraph. */
  #tables = 0;
  /** Pieces of earlier paragraphs that continue in the next one. */
  #carried: Piece[] = [];

  constructor(reading: Reading, relationships: ReadonlyMap<string, Relationship>) {
    this.#reading = reading;
    this.#relationships = relationships;
    this.#drawings = new Drawings(reading, relationships);
  }

  /** Appends the content of a body, cell or note to an element. */
  fill(element: Element, source: Element): void {
    // Appended one by one: there may be more blocks than a call can have arguments.
    for (const block of this.#container(source)) element.append(block);
  }

  #container(source: Element): Element[] {
    const blocks = this.#blocks(source);
    const rest = this.#carried.splice(0);
    return rest.length === 0 ? blocks : [...blocks, this.#written(rest, PLAIN)];
  }

  #blocks(parent: Element | undefined): Element[] {
    return elementsOf(parent).flatMap((element) => this.#block(element));
  }

  #block(element: Element): Element[] {
    const name = nameOf(element);
    if (name === 'w:p') return this.#paragraph(element);
    if (name === 'w:tbl') return this.#table(element);
    if (name === 'mc:AlternateContent') return this.#blocks(chosen(element));
    if (name === 'w:sdt') return this.#blocks(child(element, 'w:sdtContent'));
    if (TRANSPARENT.has(name)) return this.#blocks(element);
    if (REMOVED.has(name)) this.#nameRevision();
    if (name === 'm:oMathPara' || name === 'm:oMath') return [this.#written(this.#equations(element), PLAIN)];
    if (name === 'w:altChunk')
      this.#reading.remarks.countOf(['document inséré', 'documents insérés'], ' dans le document : à importer à part.');
    return [];
  }

  #table(element: Element): Element[] {
    this.#tables += 1;
    const table = tableOf(element, this.#reading, (cell, source) => this.fill(cell, source));
    this.#tables -= 1;
    return table;
  }

  #written(pieces: readonly Piece[], shape: ParagraphShape): Element {
    const { document, paragraphs } = this.#reading;
    const paragraph = paragraphOf(document, pieces);
    paragraphs.set(paragraph, shape);
    return paragraph;
  }

  #paragraph(element: Element): Element[] {
    const { styles, numbering, paragraphs, remarks } = this.#reading;
    const properties = child(element, 'w:pPr');
    const { shape, label, isContents } = readParagraph(properties, styles, numbering, remarks);
    if (isContents) {
      remarks.say('La table des matières a été laissée de côté.');
      return [];
    }
    this.#style = styles.styleIdOf(properties);
    this.#isPlain = shape.role !== 'body';
    this.#isCode = shape.role === 'code';
    // Extended in place: copying the pieces for each continued paragraph would take quadratic time.
    const pieces = this.#carried;
    this.#carried = [];
    this.#said = '';
    for (const piece of this.#inlines(element)) pieces.push(piece);
    if (this.#tables === 0 && shape.role === 'body' && shape.list === null) displayAlone(pieces, this.#reading);
    const boxes = this.#boxes.splice(0);
    const isDeleted = child(child(properties, 'w:rPr'), 'w:del') !== undefined;
    if (isDeleted) this.#nameRevision();
    const inBoxes = boxes.flatMap((box) => this.#container(box));
    // Word stores a drop cap as its own paragraph; for readers it begins the next one.
    const isDropCap = /^(?:drop|margin)$/.test(attribute(child(properties, 'w:framePr'), 'w:dropCap') ?? '');
    if (isDeleted || isDropCap) {
      this.#carried = pieces;
      return inBoxes;
    }
    if (pieces.length > 0 && label !== '') pieces.unshift({ node: `${label} `, wraps: [] });
    if (pieces.length === 0 && hasRule(properties)) pieces.push({ node: this.#drawings.rule(), wraps: [] });
    if (pieces.length === 0 && shape.list === null) return inBoxes;
    const written = this.#written(pieces, shape);
    if (paragraphs.size > maxParagraphs) throw tooComplex();
    return [written, ...inBoxes];
  }

  #inlines(parent: Element | undefined): Piece[] {
    return elementsOf(parent).flatMap((element) => this.#inline(element));
  }

  #inline(element: Element): Piece[] {
    const name = nameOf(element);
    if (name === 'w:r') return this.#run(element);
    if (name === 'w:pPr') return [];
    if (name === 'w:hyperlink') return this.#linked(this.#addressOf(element), element);
    if (name === 'w:fldSimple') return this.#linked(linkOf(attribute(element, 'w:instr') ?? ''), element);
    if (name === 'm:oMath' || name === 'm:oMathPara') return this.#equations(element);
    if (name === 'mc:AlternateContent') return this.#inlines(chosen(element));
    if (name === 'w:sdt') return this.#inlines(child(element, 'w:sdtContent'));
    if (REMOVED.has(name) || name === 'w:ins' || name === 'w:moveTo') this.#nameRevision();
    if (REMOVED.has(name)) return [];
    return TRANSPARENT.has(name) || descendants(element, 'w:r').length > 0 ? this.#inlines(element) : [];
  }

  #nameRevision(): void {
    this.#reading.remarks.say(REVISIONS);
  }

  #linked(address: string | null, element: Element): Piece[] {
    const outer = this.#link;
    this.#link = address ?? outer;
    const pieces = this.#inlines(element);
    this.#link = outer;
    if (pieces.length > 0) nameRefusedLink(address, this.#reading.remarks);
    return pieces;
  }

  #addressOf(hyperlink: Element): string {
    const target = this.#relationships.get(attribute(hyperlink, 'r:id') ?? '')?.target;
    const anchor = attribute(hyperlink, 'w:anchor');
    if (target === undefined) return '#';
    return anchor && !target.includes('#') ? `${target}#${anchor}` : target;
  }

  #run(run: Element): Piece[] {
    const { styles, remarks } = this.#reading;
    const style = styles.run(child(run, 'w:rPr'), this.#style, this.#isPlain);
    if (style.isHidden && (run.textContent ?? '').trim() !== '') {
      remarks.countOf(['passage masqué', 'passages masqués'], ' dans Word, non repris.');
      return [];
    }
    if (style.isCapitals && /\p{Ll}/u.test(run.textContent ?? ''))
      remarks.say('Les majuscules de mise en forme sont devenues des lettres ordinaires.');
    const address = this.#fields.link ?? this.#link;
    if (this.#isCode && (address !== null || isEmphasised(style)))
      remarks.count('code', (n) => `Blocs de code : ${counted(n, 'passage')} sans sa mise en évidence ni son lien.`);
    const wraps = [...linkTo(address), ...emphasisOf(style, address !== null)];
    return elementsOf(run).flatMap((part) => this.#part(part, style.font, wraps));
  }

  /** Returns the pieces of one element of a run: text, or an object between texts. */
  #part(part: Element, font: string | null, wraps: readonly Wrap[]): Piece[] {
    switch (nameOf(part)) {
      case 'w:footnoteReference':
        return this.#note('footnote', part);
      case 'w:endnoteReference':
        return this.#note('endnote', part);
      case 'w:instrText':
        this.#fields.instruct(part.textContent ?? '');
        return [];
      case 'w:fldChar':
        return this.#field(part);
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.#drawn(part);
      case 'mc:AlternateContent':
        return elementsOf(chosen(part)).flatMap((inner) => this.#part(inner, font, wraps));
      case 'w:ruby':
        this.#reading.remarks.say("L'annotation au-dessus des mots (guide phonétique) a été laissée de côté.");
        return this.#inlines(child(part, 'w:rubyBase'));
      default: {
        const node = this.#fields.isCode ? null : this.#text(part, font);
        if (typeof node === 'string') this.#said = (this.#said + node).slice(-maxSaid);
        return node === null ? [] : [{ node, wraps }];
      }
    }
  }

  /** Returns the text of an element; null for none, '' for unreadable content. */
  #text(part: Element, font: string | null): Node | string | null {
    switch (nameOf(part)) {
      case 'w:t':
        return part.textContent ? textOf(part.textContent, font, this.#reading) : null;
      case 'w:tab':
      case 'w:ptab':
        return '\t';
      case 'w:br':
        // At a page break within a paragraph a line break keeps the two words apart.
        if (/^(?:page|column)$/.test(attribute(part, 'w:type') ?? '') && !this.#breaks.isInText(part)) return null;
        return this.#reading.document.createElement('br');
      case 'w:cr':
        return this.#reading.document.createElement('br');
      case 'w:noBreakHyphen':
        return '\u2011';
      case 'w:sym':
        return symbolOf(attribute(part, 'w:font') ?? '', attribute(part, 'w:char') ?? '', this.#reading);
      default:
        return null;
    }
  }

  #note(kind: 'footnote' | 'endnote', mark: Element): Piece[] {
    const { document, notes, references } = this.#reading;
    const note = notes.get(`${kind} ${attribute(mark, 'w:id') ?? ''}`);
    if (!note) return [];
    const reference = document.createElement('sup');
    references.set(reference, note);
    return [{ node: reference, wraps: [] }];
  }

  #field(mark: Element): Piece[] {
    const ended = this.#fields.mark(mark);
    if (!ended) return [];
    nameRefusedLink(linkOf(ended.code), this.#reading.remarks);
    const equation = oldEquationOf(ended.code);
    const symbol = ended.hasResult ? null : symbolFieldOf(ended.code);
    if (symbol) return [{ node: symbolOf(symbol.font, symbol.char, this.#reading), wraps: [] }];
    if (equation !== null) {
      this.#reading.remarks.countOf('équation', " en champ EQ : son code est repris comme texte, à retaper avec l'outil Formule.");
    }
    const sign = checkBoxOf(ended) ?? choiceOf(ended) ?? (ended.hasResult ? null : equation);
    return sign === null ? [] : [{ node: textOf(sign, null, this.#reading), wraps: [] }];
  }

  #drawn(element: Element): Piece[] {
    const { marks, boxes, address } = this.#drawings.read(element, this.#said);
    this.#boxes.push(...boxes);
    const wraps = linkTo(this.#fields.link ?? this.#link ?? address);
    return marks.map((node) => ({ node, wraps }));
  }

  #equations(element: Element): Piece[] {
    const { document, equations } = this.#reading;
    const isDisplayed = nameOf(element) === 'm:oMathPara';
    const maths = isDisplayed ? descendants(element, 'm:oMath') : [element];
    return maths.flatMap((math) => {
      const latex = ommlToLatex(math);
      if (latex === '') return [];
      const formula = formulaElement(document, latex, isDisplayed);
      equations.set(formula, { characters: (math.textContent ?? '').replaceAll(/\s+/g, ' ').trim(), picture: null });
      return [{ node: formula, wraps: isDisplayed ? [] : emphasisOfEquation(math) }];
    });
  }
}
