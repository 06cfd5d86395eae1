import { keepFrenchMarks } from '../../shared/french-marks.ts';

type Piece = string | { t: string; val: string };

/** Where in a page a template's text stands: in a tag (and a value of it), or inside an element; '' is neither. */
interface Place {
  tag: string;
  quote: string;
  inside: string;
}

/** What browsers take as text alone, or shows spaces as they are written. */
const plain = new Set(['title', 'option', 'textarea', 'script', 'style', 'pre', 'code', 'svg']);

/**
 * Keeps the marks of French on the line of their word (`keepFrenchMarks`) in all that templates write as text, their own and what they are given: never in
 * attributes, nor where spaces count. Values are written by `__eta.f` (`writeText`). The templates' own texts cost nothing, since each is compiled once.
 */
export const frenchMarks = {
  processAST(pieces: Piece[]): Piece[] {
    const place: Place = { tag: '', quote: '', inside: '' };
    return pieces.map((piece) => {
      if (typeof piece === 'string') return markText(piece, place);
      const isText = piece.t === 'i' && place.tag === '' && place.inside === '';
      return isText ? { ...piece, t: 'r', val: `__eta.f(${piece.val})` } : piece;
    });
  },
};

/** Goes on in the place, in a tag or a text, where the piece before it ended. */
function markText(template: string, place: Place): string {
  let written = '';
  for (const part of template.match(/<!--[\s\S]*?-->|<\/?[a-z!][a-z0-9-]*|["'>]|[^<"'>]+|</gi) ?? []) {
    const wasText = place.tag === '' && place.inside === '';
    if (place.tag !== '') inTag(part, place);
    else if (/^<\/?[a-z!]/i.test(part)) place.tag = part.toLowerCase();
    written += wasText && place.tag === '' ? keepFrenchMarks(part) : part;
  }
  return written;
}

function inTag(part: string, place: Place): void {
  if (place.quote !== '') place.quote = part === place.quote ? '' : place.quote;
  else if (part === '"' || part === "'") place.quote = part;
  else if (part === '>') {
    const name = place.tag.replace(/^<\/?/, '');
    if (place.tag.startsWith('</')) place.inside = place.inside === name ? '' : place.inside;
    else if (plain.has(name)) place.inside ||= name;
    place.tag = '';
  }
}
