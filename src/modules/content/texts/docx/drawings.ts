import { imageAddress } from '../../../../shared/rich-text/addresses.ts';
import { MAX_ALT_LENGTH } from '../../../../shared/rich-text/bounds.ts';
import { formulaElement } from '../../../../shared/rich-text/formula-element.ts';
import { placeAfter } from '../../../../shared/rich-text/remark-forms.ts';
import { mathTypeLatex } from '../mathtype/mathtype-latex.ts';
import { counted } from '../remarks.ts';
import { mayStandAlone } from './displayed-equations.ts';
import type { Relationship } from './package.ts';
import type { Reading } from './reading.ts';
import { attribute, child, descendants, elementsOf, nameOf } from './xml.ts';

/** English metric units (EMU) per CSS pixel. */
const emuPerPixel = 9525;

/** Maximum number of places that one remark names. */
const maxPlaces = 10;

const PICTURES = ['a:blip', 'v:imagedata'];
const TEXT_BOX = 'w:txbxContent';

/** The content of a drawing, picture or object: its pictures, formula or a horizontal rule, and its text boxes. */
export interface Drawn {
  readonly marks: readonly Element[];
  readonly boxes: readonly Element[];
  /** Link address of the picture. */
  readonly address: string | null;
}

const OLD_EQUATION = /^(?:equation|mathtype)/i;

export class Drawings {
  readonly #reading: Reading;
  readonly #relationships: ReadonlyMap<string, Relationship>;

  constructor(reading: Reading, relationships: ReadonlyMap<string, Relationship>) {
    this.#reading = reading;
    this.#relationships = relationships;
  }

  /** @param before the text before it in its paragraph, which says in remarks where it is */
  read(element: Element, before: string): Drawn {
    const embedded = descendants(element, 'o:OLEObject')[0];
    // Some programs put the equation's object into a picture.
    if (nameOf(element) === 'w:object' || isOldEquation(embedded)) return this.#object(element, embedded, before);
    if (descendants(element, 'v:rect').some((rect) => /^t/.test(attribute(rect, 'o:hr') ?? '')))
      return { marks: [this.rule()], boxes: [], address: null };
    const boxes = outermostBoxes(element);
    const pictures = descendants(element, ...PICTURES).filter(
      (picture) => !isInFallback(picture, element) && !boxes.some((box) => contains(box, picture)),
    );
    const marks = pictures.flatMap((picture) => this.#picture(picture, element, pictures.length === 1));
    if (boxes.length > 0) {
      this.#reading.remarks.countOf('zone', " de texte : ce qu'on y lit suit le paragraphe qui la portait.", boxes.length);
    } else if (pictures.length === 0) this.#nameEmpty(element);
    const click = descendants(element, 'a:hlinkClick')[0];
    return { marks, boxes, address: this.#relationships.get(attribute(click, 'r:id') ?? '')?.target ?? null };
  }

  #object(element: Element, embedded: Element | undefined, before: string): Drawn {
    if (isOldEquation(embedded)) {
      const marks = this.#oldEquation(element, attribute(embedded, 'r:id') ?? '', before);
      return { marks, boxes: [], address: null };
    }
    this.#reading.remarks.countOf(
      ['objet incorporé', 'objets incorporés'],
      " (feuille de calcul, présentation…) : il n'en reste que l'image.",
    );
    return { marks: this.#picturesOf(element), boxes: [], address: null };
  }

  #picturesOf(element: Element): Element[] {
    return descendants(element, ...PICTURES).flatMap((picture) => this.#picture(picture, element, true));
  }

  /** Returns the formula of an equation of MathType or Equation Editor 3, or its picture when it cannot be read. */
  #oldEquation(element: Element, id: string, before: string): readonly Element[] {
    const { document, equations, storage } = this.#reading;
    const part = this.#relationships.get(id);
    const bytes = part && !part.isExternal ? storage(part.target) : null;
    const read = bytes && mathTypeLatex(bytes);
    const picture = () => {
      this.#nameOldEquation(before);
      return this.#picturesOf(element);
    };
    if (!read) return picture();
    const formula = formulaElement(document, read.latex, false);
    if (read.isInline !== true) formula.setAttribute(mayStandAlone, '');
    equations.set(formula, { characters: '', picture });
    return [formula];
  }

  #nameOldEquation(before: string): void {
    const { remarks, unreadEquations: places } = this.#reading;
    places.push(placeAfter(before));
    remarks.count('old equations', (n) => {
      const named = places.length > maxPlaces ? [...places.slice(0, maxPlaces), '…'] : places;
      return `${counted(n, 'équation')} d'un ancien éditeur (Equation 3.0 ou MathType) que le site ne sait pas lire, ${named.join(', ')} : à retaper avec l'outil Formule.`;
    });
  }

  #picture(picture: Element, drawing: Element, isAlone: boolean): Element[] {
    const isVml = nameOf(picture) === 'v:imagedata';
    const target =
      this.#relationships.get(attribute(picture, isVml ? 'r:id' : 'r:embed') ?? '') ??
      this.#relationships.get(attribute(picture, isVml ? 'o:relid' : 'r:link') ?? '') ??
      this.#relationships.get(attribute(picture, 'r:href') ?? '');
    if (!target) {
      this.#reading.remarks.countOf('image', ' sans contenu dans le fichier.');
      return [];
    }
    if (target.isExternal && imageAddress(target.target) === null) {
      this.#reading.remarks.countOf(['image liée', 'images liées'], ' à un fichier de votre ordinateur, hors du document : à ajouter.');
      return [];
    }
    this.#nameChanges(picture);
    const image = this.#reading.document.createElement('img');
    image.setAttribute('alt', altOf(picture, drawing, isAlone).slice(0, MAX_ALT_LENGTH).toWellFormed());
    const extent = isAlone ? Number(attribute(descendants(drawing, 'wp:extent')[0], 'cx') ?? 0) / emuPerPixel : 0;
    const width = extent >= 1 && extent < 10_000 ? Math.round(extent) : null;
    if (target.isExternal) image.setAttribute('src', target.target);
    else this.#reading.pictures.set(image, { part: target.target, width });
    return [image];
  }

  /** Returns a mark for a horizontal rule. It becomes a rule if its paragraph holds nothing else. */
  rule(): Element {
    const mark = this.#reading.document.createElement('a');
    mark.setAttribute('data-role', 'rule');
    return mark;
  }

  #nameChanges(picture: Element): void {
    const crop = elementsOf(picture.parentNode).find((element) => nameOf(element) === 'a:srcRect');
    if (['l', 't', 'r', 'b'].some((side) => Number(attribute(crop, side) ?? 0) !== 0))
      this.#reading.remarks.countOf(['image rognée', 'images rognées'], ' dans Word, en entier ici.');
    const frame = descendants((picture.parentNode?.parentNode as Element | null) ?? picture, 'a:xfrm')[0];
    if (Number(attribute(frame, 'rot') ?? 0) !== 0)
      this.#reading.remarks.countOf(['image tournée', 'images tournées'], ' dans Word, non tournées ici.');
  }

  #nameEmpty(element: Element): void {
    const uri = attribute(descendants(element, 'a:graphicData')[0], 'uri') ?? '';
    if (/chart/.test(uri)) this.#reading.remarks.countOf('graphique', ' : à ajouter comme image.');
    else if (/diagram/.test(uri)) this.#reading.remarks.countOf('dessin', ' SmartArt : à ajouter comme image.');
    else
      this.#reading.remarks.countOf(
        ['forme dessinée', 'formes dessinées'],
        ' (trait, flèche, cadre…), sans place ici : à ajouter comme image.',
      );
  }
}

const isOldEquation = (embedded: Element | undefined): boolean => OLD_EQUATION.test(attribute(embedded, 'ProgID') ?? '');

function outermostBoxes(element: Element): Element[] {
  const boxes = descendants(element, TEXT_BOX).filter(
    (box) => (box.textContent ?? '').trim() !== '' || descendants(box, ...PICTURES).length > 0,
  );
  return boxes.filter((box) => !boxes.some((other) => other !== box && contains(other, box)));
}

/** Returns whether an element lies in the fallback for old Word versions, a duplicate of the drawing's newer form. */
function isInFallback(inner: Element, drawing: Element): boolean {
  for (let node: Node | null = inner; node && node !== drawing; node = node.parentNode) if (nameOf(node) === 'mc:Fallback') return true;
  return false;
}

function contains(outer: Element, inner: Node): boolean {
  for (let node: Node | null = inner; node; node = node.parentNode) if (node === outer) return true;
  return false;
}

function altOf(picture: Element, drawing: Element, isAlone: boolean): string {
  const named = isAlone ? descendants(drawing, 'wp:docPr')[0] : undefined;
  const own = descendants((picture.parentNode?.parentNode as Element | null) ?? picture, 'pic:cNvPr')[0];
  const shape = nameOf(picture) === 'v:imagedata' ? (picture.parentNode as Element) : undefined;
  const said = [
    attribute(named, 'descr'),
    attribute(own, 'descr'),
    attribute(shape, 'alt'),
    attribute(named, 'title'),
    attribute(picture, 'o:title'),
  ];
  // Some programs write the file's name into the description.
  return (
    said.find(
      (text) => text !== null && text.trim() !== '' && !/^(?:[A-Za-z]:\\|\S+\.(?:png|jpe?g|gif|bmp|webp|tiff?)$)/i.test(text.trim()),
    ) ?? ''
  )
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the newer one of two alternative forms, unless only the older one holds a picture or text. */
export function chosen(alternate: Element): Element | undefined {
  const choice = child(alternate, 'mc:Choice');
  const fallback = child(alternate, 'mc:Fallback');
  const says = (part: Element | undefined): boolean =>
    part !== undefined && descendants(part, ...PICTURES, TEXT_BOX, 'w:t', 'm:oMath').length > 0;
  return says(choice) || !says(fallback) ? (choice ?? fallback) : fallback;
}
