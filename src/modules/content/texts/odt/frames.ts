import { AppError } from '../../../../platform/errors.ts';
import { imageAddress } from '../../../../shared/rich-text/addresses.ts';
import { MAX_ALT_LENGTH } from '../../../../shared/rich-text/bounds.ts';
import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { mayStandAlone } from '../docx/displayed-equations.ts';
import { attribute, child, descendants, elementsOf, nameOf } from '../docx/xml.ts';
import { isDrawable } from '../image-intake.ts';
import { formulaOf, texMathsOf } from './formulas.ts';
import { twips } from './lengths.ts';
import { type OdtReading, sayWithPlace } from './reading.ts';

/** Content of a frame, shape or group: pictures and formulas, and the elements whose paragraphs are its text. */
export interface Framed {
  readonly marks: readonly Element[];
  readonly boxes: readonly Element[];
}

/** Twentieths of a point per CSS pixel. */
const twipsPerPixel = 15;
const none: Framed = { marks: [], boxes: [] };

/** Reads drawings: pictures, embedded objects, text boxes and shapes. */
export class Frames {
  readonly #reading: OdtReading;
  /** Pictures that the text itself holds, by the name that the other steps know them by. */
  readonly #inside = new Map<string, Buffer>();
  readonly #drawable = new Map<string, boolean>();

  constructor(reading: OdtReading) {
    this.#reading = reading;
  }

  /** Returns the bytes of a picture by its name; null when it does not exist. @throws AppError 400 */
  media(name: string): Buffer | null {
    return this.#inside.get(name) ?? this.#reading.file.media(name);
  }

  /** Returns whether a part is a picture that can be stored, or is damaged. Reads each part once: a logo may be on every page. */
  #isDrawable(part: string): boolean {
    let is = this.#drawable.get(part);
    if (is !== undefined) return is;
    try {
      is = isDrawable(this.media(part) ?? Buffer.alloc(0));
    } catch (error) {
      // The intake of pictures names it.
      if (!(error instanceof AppError)) throw error;
      is = true;
    }
    this.#drawable.set(part, is);
    return is;
  }

  /** @param before the text before the drawing in its paragraph, which says in remarks where it is */
  read(element: Element, before: string): Framed {
    const name = nameOf(element);
    if (name === 'draw:frame') return this.#frame(element, before);
    if (name === 'draw:g' || name === 'draw:a') {
      const parts = elementsOf(element).map((inner) => (isDrawing(inner) ? this.read(inner, before) : none));
      return { marks: parts.flatMap(({ marks }) => marks), boxes: parts.flatMap(({ boxes }) => boxes) };
    }
    if (name === 'draw:control') {
      sayWithPlace(this.#reading, ['champ de formulaire', 'champs de formulaire'], before, 'sans place ici.');
      return none;
    }
    if (hasText(element)) return this.#box([element]);
    sayWithPlace(
      this.#reading,
      ['forme dessinée (trait, flèche, cadre…)', 'formes dessinées (traits, flèches, cadres…)'],
      before,
      'à ajouter comme image.',
    );
    return none;
  }

  #box(boxes: readonly Element[]): Framed {
    this.#reading.remarks.countOf('zone', " de texte : ce qu'on y lit suit le paragraphe qui la portait.");
    return { marks: [], boxes };
  }

  #frame(frame: Element, before: string): Framed {
    const inside = elementsOf(frame);
    const object = inside.find((element) => /^draw:object(?:-ole)?$/.test(nameOf(element)));
    if (object) return { marks: this.#object(frame, object, before), boxes: [] };
    const box = inside.find((element) => nameOf(element) === 'draw:text-box');
    if (box) return hasText(box) ? this.#box([box]) : none;
    if (inside.some((element) => nameOf(element) === 'table:table')) return this.#box([frame]);
    if (inside.some((element) => nameOf(element) === 'draw:image')) return { marks: this.#picture(frame, before), boxes: [] };
    sayWithPlace(this.#reading, ['objet incorporé', 'objets incorporés'], before, 'non repris.');
    return none;
  }

  #object(frame: Element, object: Element, before: string): Element[] {
    const { file, document, equations, remarks } = this.#reading;
    const part = file.partOf(attribute(object, 'xlink:href') ?? '');
    const root = elementsOf(object).find(isMath) ?? (part === null ? null : file.object(part));
    if (root && isMath(root)) {
      const read = formulaOf(root, document);
      if (!read) return [];
      if (read.latex === null) {
        sayWithPlace(this.#reading, ['équation illisible', 'équations illisibles'], before, `son texte est repris, à retaper.`);
        return [document.createTextNode(read.source) as unknown as Element];
      }
      const formula = formulaElement(document, read.latex, false);
      formula.setAttribute(mayStandAlone, '');
      equations.set(formula, { characters: read.source, picture: null });
      return [formula];
    }
    if (root && descendants(root, 'office:chart').length > 0) {
      sayWithPlace(this.#reading, ['graphique', 'graphiques'], before, 'à ajouter comme image.');
      return [];
    }
    const image = child(frame, 'draw:image');
    const replacement = image && this.#partOf(image);
    if (image && replacement && this.#isDrawable(replacement)) {
      remarks.countOf(
        ['objet incorporé', 'objets incorporés'],
        " (feuille de calcul, présentation, équation ancienne…) : il n'en reste que l'image.",
      );
      return [this.#image(frame, replacement)];
    }
    sayWithPlace(
      this.#reading,
      ['objet incorporé (feuille de calcul, équation…)', 'objets incorporés (feuilles de calcul, équations…)'],
      before,
      'à refaire, ou à ajouter comme image.',
    );
    return [];
  }

  #picture(frame: Element, before: string): Element[] {
    const { document, remarks, equations, styles } = this.#reading;
    const typed = texMathsOf(child(frame, 'svg:desc')?.textContent ?? '');
    if (typed) {
      const formula = formulaElement(document, typed, false);
      formula.setAttribute(mayStandAlone, '');
      equations.set(formula, { characters: typed, picture: null });
      return [formula];
    }
    // LibreOffice writes a drawing as SVG and, for other programs, as PNG.
    const images = elementsOf(frame).filter((element) => nameOf(element) === 'draw:image');
    const chosen = images.find((image) => this.#isDrawable(this.#partOf(image) ?? '')) ?? images[0];
    const part = chosen ? this.#partOf(chosen) : null;
    const href = attribute(chosen, 'xlink:href') ?? '';
    if (part === null) {
      if (imageAddress(href) !== null && /^https?:/i.test(href)) return [this.#image(frame, null, href)];
      if (href === '') sayWithPlace(this.#reading, ['image', 'images'], before, 'sans contenu dans le fichier.');
      else sayWithPlace(this.#reading, ['image liée', 'images liées'], before, 'hors du document : à ajouter.');
      return [];
    }
    const clip = styles.property('graphic', attribute(frame, 'draw:style-name'), 'style:graphic-properties', 'fo:clip');
    if (/[1-9]/.test(clip ?? '')) remarks.countOf(['image rognée', 'images rognées'], ' dans le document, en entier ici.');
    if (/rotate/.test(attribute(frame, 'draw:transform') ?? ''))
      remarks.countOf(['image tournée', 'images tournées'], ' dans le document, non tournées ici.');
    return [this.#image(frame, part)];
  }

  #image(frame: Element, part: string | null, src = ''): Element {
    const image = this.#reading.document.createElement('img');
    const alt = (child(frame, 'svg:desc') ?? child(frame, 'svg:title'))?.textContent ?? '';
    image.setAttribute('alt', alt.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ALT_LENGTH).toWellFormed());
    const width = Math.round((twips(attribute(frame, 'svg:width')) ?? 0) / twipsPerPixel);
    if (part === null) image.setAttribute('src', src);
    else this.#reading.pictures.set(image, { part, width: width >= 1 && width < 10_000 ? width : null });
    return image;
  }

  /** Returns the name of a picture's part; null for one outside of the file. */
  #partOf(image: Element): string | null {
    const data = child(image, 'office:binary-data')?.textContent;
    if (!data) return this.#reading.file.partOf(attribute(image, 'xlink:href') ?? '');
    const bytes = Buffer.from(data, 'base64');
    const name = `data:${bytes.toString('base64', 0, 64)}${bytes.length}`;
    this.#inside.set(name, bytes);
    return name;
  }
}

const isMath = (element: Element): boolean => element.localName === 'math';

/** Returns whether an element is a drawing: a frame, shape, group or control. */
export const isDrawing = (element: Element): boolean => /^(?:draw|dr3d):/.test(nameOf(element)) && nameOf(element) !== 'draw:glue-point';

/** Returns whether an element holds text, pictures or formulas in paragraphs. */
const hasText = (element: Element): boolean =>
  descendants(element, 'text:p', 'text:h').some(
    (paragraph) => (paragraph.textContent ?? '').trim() !== '' || descendants(paragraph, 'draw:frame').length > 0,
  );
