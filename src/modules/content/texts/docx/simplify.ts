import { ommlToLatex } from '../../../../shared/omml/omml-to-latex.ts';
import { tooComplex } from '../refusal.ts';
import { counted, REVISIONS } from '../remarks.ts';
import { chosen, Drawings } from './drawings.ts';
import { checkBoxOf, choiceOf, Fields, linkOf, oldEquationOf, symbolOf } from './fields.ts';
import { bookmark, escapeXml } from './findings.ts';
import type { Relationship } from './package.ts';
import { PageBreaks } from './page-breaks.ts';
import { hasRule, readParagraph } from './paragraph.ts';
import { isEmphasised, linkId, nameRefusedLink, runXml, textXml } from './runs.ts';
import type { Surroundings } from './surroundings.ts';
import { tableXml } from './table.ts';
import { attribute, child, descendants, elementsOf, nameOf } from './xml.ts';

/** What holds text in its place: its content is read as if it stood there by itself. */
const TRANSPARENT = new Set([
  'w:ins',
  'w:moveTo',
  'w:smartTag',
  'w:customXml',
  'w:dir',
  'w:bdo',
  'w:sdtContent',
  'w:rubyBase',
  'w:rt',
  'mc:Choice',
  'mc:Fallback',
]);
/** Paragraphs of a document, at most. */
const maxParagraphs = 10_000;

const REMOVED = new Set(['w:del', 'w:moveFrom']);

/**
 * The text of one part as the little WordprocessingML that mammoth is sure to understand: every style, revision, field and drawing has been
 * read, and stands as plain emphasis, as text, or as a mark for what comes from `findings` afterwards.
 */
export class Simplifier {
  readonly #around: Surroundings;
  readonly #relationships: ReadonlyMap<string, Relationship>;
  readonly #drawings: Drawings;
  readonly #fields = new Fields();
  /** Of the paragraph that is being written. */
  #style: string | null = null;
  #isPlain = false;
  #isCode = false;
  #link: string | null = null;
  #boxes: Element[] = [];
  readonly #breaks = new PageBreaks();
  /** What stood in paragraphs that go on in the next one. */
  #carried = '';

  constructor(around: Surroundings, relationships: ReadonlyMap<string, Relationship>) {
    this.#around = around;
    this.#relationships = relationships;
    this.#drawings = new Drawings(around.findings, around.remarks, relationships);
  }

  /** What a body, a cell, a note or a text box holds. */
  container(parent: Element): string {
    const content = this.blocks(parent);
    const rest = this.#carried;
    this.#carried = '';
    return rest === '' ? content : `${content}<w:p>${this.#mark()}${rest}</w:p>`;
  }

  blocks(parent: Element): string {
    return elementsOf(parent)
      .map((element) => this.#block(element))
      .join('');
  }

  #block(element: Element): string {
    const name = nameOf(element);
    if (name === 'w:p') return this.#paragraph(element);
    if (name === 'w:tbl') return tableXml(element, this.#around, (cell) => this.container(cell));
    if (name === 'mc:AlternateContent') return this.#within(chosen(element));
    if (name === 'w:sdt') return this.#within(child(element, 'w:sdtContent'));
    if (TRANSPARENT.has(name)) return this.blocks(element);
    if (REMOVED.has(name)) return this.#revision();
    if (name === 'm:oMathPara' || name === 'm:oMath') return `<w:p>${this.#mark()}${this.#equations(element)}</w:p>`;
    if (name === 'w:altChunk')
      this.#around.remarks.count(
        'chunks',
        (n) => `${counted(n, 'document inséré', 'documents insérés')} dans le document : à importer à part.`,
      );
    return '';
  }

  #within(element: Element | undefined): string {
    return element ? this.blocks(element) : '';
  }

  #paragraph(element: Element): string {
    const { styles, numbering, findings, remarks } = this.#around;
    const properties = child(element, 'w:pPr');
    const { finding, label, isContents } = readParagraph(properties, styles, numbering, remarks);
    if (isContents) {
      remarks.say('La table des matières a été laissée de côté.');
      return '';
    }
    this.#style = styles.styleIdOf(properties);
    this.#isPlain = finding.role !== 'body';
    this.#isCode = finding.role === 'code';
    const content = this.#carried + this.#inlines(element);
    this.#carried = '';
    const boxes = this.#boxes.splice(0);
    const isDeleted = child(child(properties, 'w:rPr'), 'w:del') !== undefined;
    // A large first letter is a paragraph by itself to Word, and the start of the next one to a reader.
    const isDropCap = /^(?:drop|margin)$/.test(attribute(child(properties, 'w:framePr'), 'w:dropCap') ?? '');
    if (isDeleted || isDropCap) {
      if (isDeleted) this.#revision();
      const inBoxes = boxes.map((box) => this.container(box)).join('');
      this.#carried = content;
      return inBoxes;
    }
    const isSpace = content === '' && finding.list === null && !hasRule(properties);
    const inBoxes = boxes.map((box) => this.container(box)).join('');
    if (isSpace) return inBoxes;
    findings.paragraphs.push(finding);
    if (findings.paragraphs.length > maxParagraphs) throw tooComplex();
    const mark = bookmark('paragraph', findings.paragraphs.length - 1);
    const prefix = label === '' || content === '' ? '' : `<w:r><w:t xml:space="preserve">${escapeXml(label)} </w:t></w:r>`;
    const border = hasRule(properties) && content === '' ? bookmark('rule', 0) : '';
    return `<w:p>${mark}${border}${prefix}${content}</w:p>${inBoxes}`;
  }

  /** A paragraph of its own for what stands between paragraphs. */
  #mark(): string {
    const { findings } = this.#around;
    findings.paragraphs.push({ role: 'body', level: 0, align: null, left: 0, isRightToLeft: false, list: null, isListText: false });
    return bookmark('paragraph', findings.paragraphs.length - 1);
  }

  #inlines(parent: Element | undefined): string {
    return elementsOf(parent)
      .map((element) => this.#inline(element))
      .join('');
  }

  #inline(element: Element): string {
    const name = nameOf(element);
    if (name === 'w:r') return this.#run(element);
    if (name === 'w:pPr') return '';
    if (name === 'w:hyperlink') return this.#linked(this.#addressOf(element), element);
    if (name === 'w:fldSimple') return this.#linked(linkOf(attribute(element, 'w:instr') ?? ''), element);
    if (name === 'm:oMath' || name === 'm:oMathPara') return this.#equations(element);
    if (name === 'mc:AlternateContent') return this.#inlines(chosen(element));
    if (name === 'w:sdt') return this.#control(element);
    if (REMOVED.has(name)) return this.#revision();
    if (name === 'w:ins' || name === 'w:moveTo') this.#revision();
    return TRANSPARENT.has(name) || descendants(element, 'w:r').length > 0 ? this.#inlines(element) : '';
  }

  #revision(): string {
    this.#around.remarks.say(REVISIONS);
    return '';
  }

  #control(element: Element): string {
    return this.#inlines(child(element, 'w:sdtContent'));
  }

  #linked(address: string | null, element: Element): string {
    const outer = this.#link;
    this.#link = address ?? outer;
    const content = this.#inlines(element);
    this.#link = outer;
    if (content !== '') nameRefusedLink(address, this.#around.remarks);
    return content;
  }

  #addressOf(hyperlink: Element): string {
    const target = this.#relationships.get(attribute(hyperlink, 'r:id') ?? '')?.target;
    const anchor = attribute(hyperlink, 'w:anchor');
    if (target === undefined) return '#';
    return anchor && !target.includes('#') ? `${target}#${anchor}` : target;
  }

  #run(run: Element): string {
    const properties = child(run, 'w:rPr');
    const style = this.#around.styles.run(properties, this.#style, this.#isPlain);
    if (style.isHidden && (run.textContent ?? '').trim() !== '') {
      this.#around.remarks.count('hidden', (n) => `${counted(n, 'passage masqué', 'passages masqués')} dans Word, non repris.`);
      return '';
    }
    if (style.isCapitals && /\p{Ll}/u.test(run.textContent ?? ''))
      this.#around.remarks.say('Les majuscules de mise en forme sont devenues des lettres ordinaires.');
    const address = this.#fields.link ?? this.#link;
    if (this.#isCode && (address !== null || isEmphasised(style)))
      this.#around.remarks.count('code', (n) => `Blocs de code : ${counted(n, 'passage')} sans sa mise en évidence ni son lien.`);
    const written = (content: string): string =>
      content === '' ? '' : this.#linkedXml(address, runXml(content, style, address !== null, this.#around.findings));
    let [xml, text] = ['', ''];
    for (const part of elementsOf(run)) {
      const piece = this.#piece(part, style.font);
      if (piece.isText) text += piece.xml;
      else {
        xml += written(text) + piece.xml;
        text = '';
      }
    }
    return xml + written(text);
  }

  /** One element of a run: text, or something that stands between texts. */
  #piece(part: Element, font: string | null): { xml: string; isText: boolean } {
    const text = (xml: string) => ({ xml: this.#fields.isCode ? '' : xml, isText: true });
    const other = (xml: string) => ({ xml, isText: false });
    switch (nameOf(part)) {
      case 'w:t':
        return text(textXml(part.textContent ?? '', font));
      case 'w:tab':
      case 'w:ptab':
        return text('<w:tab/>');
      case 'w:br':
        // Where a page ends in the middle of a paragraph, two words must not become one.
        return text(/^(?:page|column)$/.test(attribute(part, 'w:type') ?? '') && !this.#breaks.isInText(part) ? '' : '<w:br/>');
      case 'w:cr':
        return text('<w:br/>');
      case 'w:noBreakHyphen':
        return text('<w:noBreakHyphen/>');
      case 'w:sym':
        return text(
          `<w:sym w:font="${escapeXml(attribute(part, 'w:font') ?? '')}" w:char="${escapeXml(attribute(part, 'w:char') ?? '')}"/>`,
        );
      case 'w:footnoteReference':
        return other(this.#note('footnote', part));
      case 'w:endnoteReference':
        return other(this.#note('endnote', part));
      case 'w:instrText':
        this.#fields.instruct(part.textContent ?? '');
        return other('');
      case 'w:fldChar':
        return other(this.#field(part));
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return other(this.#drawn(part));
      case 'mc:AlternateContent':
        return other(
          elementsOf(chosen(part))
            .map((inner) => this.#piece(inner, font).xml)
            .join(''),
        );
      case 'w:ruby':
        this.#around.remarks.say("L'annotation au-dessus des mots (guide phonétique) a été laissée de côté.");
        return other(this.#inlines(child(part, 'w:rubyBase')));
      default:
        return other('');
    }
  }

  #note(kind: 'footnote' | 'endnote', reference: Element): string {
    const id = attribute(reference, 'w:id') ?? '';
    return this.#around.notes.has(`${kind} ${id}`) ? `<w:r><w:${kind}Reference w:id="${escapeXml(id)}"/></w:r>` : '';
  }

  #field(mark: Element): string {
    const ended = this.#fields.mark(mark);
    if (!ended) return '';
    nameRefusedLink(linkOf(ended.code), this.#around.remarks);
    const equation = oldEquationOf(ended.code);
    const symbol = ended.hasResult ? null : symbolOf(ended.code);
    if (symbol) return `<w:r><w:sym w:font="${escapeXml(symbol.font)}" w:char="${symbol.char}"/></w:r>`;
    if (equation !== null) {
      this.#around.remarks.count(
        'eq fields',
        (n) => `${counted(n, 'équation')} en champ EQ : son code est repris comme texte, à retaper avec l'outil Formule.`,
      );
    }
    const sign = checkBoxOf(ended) ?? choiceOf(ended) ?? (ended.hasResult ? null : equation);
    return sign === null ? '' : `<w:r><w:t xml:space="preserve">${escapeXml(sign)}</w:t></w:r>`;
  }

  #drawn(element: Element): string {
    const { marks, boxes, address } = this.#drawings.read(element);
    this.#boxes.push(...boxes);
    return marks === '' ? '' : this.#linkedXml(this.#fields.link ?? this.#link ?? address, marks);
  }

  #linkedXml(address: string | null, xml: string): string {
    const id = address === null ? null : linkId(address, this.#around.findings);
    return id === null ? xml : `<w:hyperlink r:id="${id}">${xml}</w:hyperlink>`;
  }

  #equations(element: Element): string {
    const { equations } = this.#around.findings;
    const isDisplayed = nameOf(element) === 'm:oMathPara';
    const maths = isDisplayed ? descendants(element, 'm:oMath') : [element];
    return maths
      .map((math) => {
        const latex = ommlToLatex(math);
        if (latex === '') return '';
        equations.push({ latex, isDisplayed, text: (math.textContent ?? '').replaceAll(/\s+/g, ' ').trim() });
        return bookmark('equation', equations.length - 1);
      })
      .join('');
  }
}
