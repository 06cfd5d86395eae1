import type { Slice } from 'prosemirror-model';

/** Returns copied content as text: formulas as LaTeX between dollars, videos as their address. */
export function plainText(slice: Slice): string {
  return slice.content.textBetween(0, slice.content.size, '\n\n', ({ type, attrs }) => {
    switch (type.name) {
      case 'formula':
        return `$${attrs.latex}$`;
      case 'formula_block':
        return `$$${attrs.latex}$$`;
      case 'hard_break':
        return '\n';
      case 'image':
        return attrs.alt;
      case 'video':
        return attrs.src;
      default:
        return '';
    }
  });
}
