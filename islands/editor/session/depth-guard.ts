import { Plugin } from 'prosemirror-state';
import { MAX_DEPTH } from '../../../src/shared/rich-text/bounds.ts';
import type { EditorHost } from '../commands/editor-host.ts';
import { height } from '../commands/node-height.ts';

/** Refuses changes that nest the text deeper than can be stored. Pasted content is flattened before (paste/limit-depth.ts). */
export const depthGuard = ({ notify }: EditorHost): Plugin =>
  new Plugin({
    filterTransaction: ({ docChanged, doc, before }) => {
      if (!docChanged || height(doc) <= Math.max(MAX_DEPTH, height(before))) return true;
      notify('warning', 'Le texte a trop de niveaux imbriqués.');
      return false;
    },
  });
