import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';
import { videoLabel } from '../../../src/shared/rich-text/video.ts';

/** A video's card, as learners see it before they request the video. It does not play in the editor. */
export function videoView(first: Node): NodeView {
  const dom = document.createElement('div');
  dom.className = 'video';
  const label = document.createElement('a');
  dom.append(label);
  const show = ({ attrs }: Node) => {
    label.textContent = videoLabel(attrs as { src: string; title: string });
    label.title = attrs.src;
  };
  show(first);
  return {
    dom,
    update: (node) => {
      if (node.type !== first.type) return false;
      show(node);
      return true;
    },
    ignoreMutation: () => true,
  };
}
