import { keepFrenchMarks } from '../../shared/french-marks.ts';

type Piece = string | { t: string; val: string };

/** Position in the HTML: in a tag (and in a quoted value), or inside an element without marks; all '' is plain text. */
interface Place {
  tag: string;
  quote: string;
  inside: string;
}

/** Elements that contain only text for browsers, or preserve spaces. */
const plain = new Set(['title', 'option', 'textarea', 'script', 'style', 'pre', 'code', 'svg']);

/**
 * Eta plugin that keeps French punctuation on the line of its word (`keepFrenchMarks`) in all text of templates and in their values.
 * Attributes and elements that preserve spaces are left alone. Values are written by `__eta.f` (`writeText`). The templates' own texts are
 * changed once, at compile time.
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

/** Marks one piece of a template, beginning at the position where the piece before it ended, and updates the position. */
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
