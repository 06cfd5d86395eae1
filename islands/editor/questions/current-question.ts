import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { questionAround } from './commands.ts';

/** Marks the question around the selection and its choices: Tab reaches the controls of this question only, so that the text can be left. */
export const currentQuestion = (): Plugin =>
  new Plugin({
    props: {
      decorations: (state) => {
        const place = questionAround(state);
        if (!place) return null;
        const { question, pos } = place;
        const mark = (from: number, size: number) => Decoration.node(from, from + size, { class: 'editor__current' }, { isCurrent: true });
        const marked = [mark(pos, question.nodeSize)];
        question.forEach((part, offset) => {
          if (part.type.name === 'question_choice') marked.push(mark(pos + 1 + offset, part.nodeSize));
        });
        return DecorationSet.create(state.doc, marked);
      },
    },
  });
