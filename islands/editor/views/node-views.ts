import type { EditorProps } from 'prosemirror-view';
import { codeBlockViews } from './code-block-view.ts';
import { formulaView } from './formula-view.ts';
import { videoView } from './video-view.ts';

/** Node views for nodes that show more than their HTML. */
export function nodeViews(): NonNullable<EditorProps['nodeViews']> {
  return {
    code_block: codeBlockViews(),
    formula: (node) => formulaView(node, false),
    formula_block: (node) => formulaView(node, true),
    video: videoView,
  };
}
