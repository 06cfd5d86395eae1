import { DOMParser, type Node } from 'prosemirror-model';
import { richTextSchema } from './schema.ts';

const parser = DOMParser.fromSchema(richTextSchema);

/**
 * The document that a DOM tree says, whoever parsed it (a browser, or linkedom on the server, which only ever parses).
 * What the schema does not know is left out. `whitespace` is `exact` for canonical HTML, where every space is the author's,
 * and `collapse` for anybody else's, where it is layout.
 */
export function documentFromDom(root: ParentNode, whitespace: 'exact' | 'collapse' = 'collapse'): Node {
  return parser.parse(root as unknown as globalThis.Node, { preserveWhitespace: whitespace === 'exact' ? 'full' : false });
}
