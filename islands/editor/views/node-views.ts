import type { EditorProps } from 'prosemirror-view';
import { codeBlockView } from './code-block-view.ts';
import type { CodeMarker } from './code-highlighting.ts';
import { formulaView } from './formula-view.ts';
import { videoView } from './video-view.ts';

/** Node views for nodes that show more than their HTML. */
export function nodeViews(marker: CodeMarker): NonNullable<EditorProps['nodeViews']> {
  return {
    code_block: (node, view, getPos) => codeBlockView(node, view, getPos, marker),
    formula: (node) => formulaView(node, false),
    formula_block: (node) => formulaView(node, true),
    video: videoView,
  };
}
