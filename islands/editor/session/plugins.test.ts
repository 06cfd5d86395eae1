import { undo, undoDepth } from 'prosemirror-history';
import { EditorState, type Plugin } from 'prosemirror-state';
import t from 'tap';
import { checkDocument } from '../../../src/shared/rich-text/document.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { textOf } from '../../../test/support/editor-text.ts';
import { toggleList } from '../commands/lists.ts';
import { limitDepth } from '../paste/limit-depth.ts';
import { editorPlugins } from './plugins.ts';

const host = {
  openDialog: () => {},
  focusToolbar: () => {},
  notify: () => {},
  uploadImage: async () => ({ fault: 'none' }),
  showOffer: () => {},
};
const plugins: Plugin[] = editorPlugins({
  host,
  groups: [],
  placeholder: '',
  questions: { withQuestions: true, onTools: () => {} },
  onTableTools: () => {},
});

/** Returns the state after a letter was typed at each of these times, in ms. */
function typedAt(times: readonly number[]): EditorState {
  const start = EditorState.create({ schema: richTextSchema, plugins });
  return times.reduce((state, time) => {
    const tr = state.tr.insertText('x', state.doc.content.size - 1);
    return state.apply(tr.setTime(1_000_000 + time));
  }, start);
}

t.test('changes within 1000 ms of each other are one step of the history (specification §9)', async (t) => {
  const state = typedAt([0, 900, 1_899, 2_900]);
  t.equal(state.doc.textContent, 'xxxx');
  t.equal(undoDepth(state), 2, 'the last change came 1,001 ms after the previous change');
  undo(state, (tr) => t.equal(tr.doc.textContent, 'xxx'));
});

t.test('the editor refuses a text that is nested too deeply to be stored', async (t) => {
  const deep = (levels: number): string => (levels === 0 ? '<p>|x</p>' : `<blockquote>${deep(levels - 1)}</blockquote>`);
  const state = textOf(deep(37), plugins);
  checkDocument(state.doc);
  let next: EditorState | null = null;
  toggleList(richTextSchema.nodes.bullet_list)(state, (tr) => {
    next = state.apply(tr);
  });
  t.equal(next, state, 'one more list level is refused');
  const pasted = textOf('<ul><li>un<ul><li>deux</li></ul></li></ul>').doc.slice(0);
  t.equal(state.apply(state.tr.replaceSelection(pasted)), state, 'pasting deep lists is refused');
  const { doc } = state.apply(state.tr.replaceSelection(limitDepth(pasted, state)));
  t.match(doc.textContent, 'undeux', 'the pasted lists are flattened');
  checkDocument(doc);
});

t.test('the undo history keeps 100 steps', async (t) => {
  const times = Array.from({ length: 300 }, (_, index) => index * 2_000);
  const depth = undoDepth(typedAt(times));
  // ProseMirror keeps a few more steps before it drops old ones.
  t.ok(depth >= 100 && depth <= 120, `${depth} steps`);
});
