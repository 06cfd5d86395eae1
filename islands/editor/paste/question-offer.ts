import { Plugin, PluginKey } from 'prosemirror-state';
import type { EditorHost } from '../commands/editor-host.ts';
import { questionsIn, transformQuestions } from '../commands/written-questions.ts';

interface Pasted {
  readonly from: number;
  readonly to: number;
  /** Distinguishes pastes. */
  readonly serial: number;
}

const key = new PluginKey<Pasted | null>('question-offer');

/** After a paste of questions written as text, offers to make them questions. */
export const questionOffer = (host: Pick<EditorHost, 'notify'>): Plugin =>
  new Plugin<Pasted | null>({
    key,
    state: {
      init: () => null,
      apply(tr, before) {
        if (tr.getMeta('paste') !== true)
          return before && { ...before, from: tr.mapping.map(before.from), to: tr.mapping.map(before.to, -1) };
        let from = Number.POSITIVE_INFINITY;
        let to = 0;
        for (const [index, map] of tr.mapping.maps.entries())
          map.forEach((_from, _to, start, end) => {
            const later = tr.mapping.slice(index + 1);
            from = Math.min(from, later.map(start, -1));
            to = Math.max(to, later.map(end));
          });
        return from < to ? { from, to, serial: tr.time } : null;
      },
    },
    view: () => ({
      update(view, before) {
        const pasted = key.getState(view.state);
        const { doc } = view.state;
        if (!pasted || key.getState(before)?.serial === pasted.serial) return;
        const found = questionsIn(doc, pasted).found.filter(({ sure }) => sure);
        const count = found.reduce((sum, one) => sum + one.count, 0);
        if (count === 0) return;
        const message = count === 1 ? 'Une question reconnue dans le texte collé.' : `${count} questions reconnues dans le texte collé.`;
        host.notify('info', message, {
          text: count === 1 ? 'Transformer en question' : 'Transformer en questions',
          run: () => {
            if (view.isDestroyed) return;
            transformQuestions((state) => key.getState(state) ?? null)(view.state, view.dispatch);
            view.focus();
          },
        });
      },
    }),
  });
