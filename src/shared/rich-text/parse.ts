import { DOMParser, type Node } from 'prosemirror-model';
import { richTextSchema } from './schema.ts';

const parser = DOMParser.fromSchema(richTextSchema);

/**
 * Returns the document in a DOM tree, parsed by a browser or by linkedom on the server. Content unknown to the schema is dropped.
 * @param whitespace `exact` for canonical HTML, whose spaces are the author's; `collapse` for other HTML, whose spaces are layout
 */
export function documentFromDom(root: ParentNode, whitespace: 'exact' | 'collapse' = 'collapse'): Node {
  return parser.parse(root as unknown as globalThis.Node, { preserveWhitespace: whitespace === 'exact' ? 'full' : false });
}
