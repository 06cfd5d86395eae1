import type { Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { EditorHost } from '../commands/editor-host.ts';
import { mayHoldQuestions, type PastedRange, questionsKey } from '../commands/written-text.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';

const fetchEditing = () => fetchScript(() => import('../questions/editing.ts'));
type Editing = Awaited<ReturnType<typeof fetchEditing>>;

const UNRECOGNISED = 'Aucune question reconnue : il faut un énoncé numéroté, puis des choix qui commencent par A., B., C.';

export interface QuestionOptions {
  /** Whether the text may get questions. */
  withQuestions: boolean;
  /** Takes the toolbar's row for questions. */
  onTools: (groups: readonly ToolbarGroup[]) => void;
}

/**
 * Loads the code that edits questions when one comes near the visible part of the page or the text that holds it is changed, or when a
 * selected or pasted text may become one: most texts have none.
 * After a paste of questions written as text, offers to make them questions.
 */
export function lazyQuestions(host: Pick<EditorHost, 'notify'>, { withQuestions, onTools }: QuestionOptions): Plugin {
  let editing: Promise<Editing | null> | null = null;

  function load(view: EditorView): Promise<Editing | null> {
    editing ??= fetchEditing().then(
      (module) => {
        if (view.isDestroyed) return null;
        const { groups, plugins } = module.questionEditing();
        view.updateState(view.state.reconfigure({ plugins: [...plugins, ...view.state.plugins] }));
        onTools(groups);
        module.showNamedQuestion(view);
        return module;
      },
      () => {
        editing = null;
        host.notify('warning', "Les outils des questions n'ont pas pu être chargés. Vérifiez votre connexion, puis réessayez.");
        return null;
      },
    );
    return editing;
  }

  async function offer(view: EditorView, pasted: PastedRange): Promise<void> {
    const module = await load(view);
    const now = () => (view.isDestroyed ? null : (questionsKey.getState(view.state) ?? null));
    const range = now();
    if (!module || range?.serial !== pasted.serial) return;
    const isSure = ({ sure }: { sure: boolean }): boolean => sure;
    const found = module.questionsIn(view.state.doc, range).found.filter(isSure);
    const count = found.reduce((sum, one) => sum + one.count, 0);
    if (count === 0) return;
    const message = count === 1 ? 'Une question reconnue dans le texte collé.' : `${count} questions reconnues dans le texte collé.`;
    const transform = () => {
      const last = now();
      if (last) module.transformQuestions(last, isSure)(view.state, view.dispatch);
      view.focus();
    };
    host.notify('info', message, { text: `Transformer en question${count === 1 ? '' : 's'}`, run: transform });
  }

  return new Plugin<PastedRange | null>({
    key: questionsKey,
    state: { init: () => null, apply: pastedRange },
    transform(view: EditorView) {
      void load(view).then((module) => {
        if (module && !module.transformQuestions(view.state.selection)(view.state, view.dispatch)) host.notify('info', UNRECOGNISED);
        view.focus();
      });
    },
    view: (view) => {
      const unwatch = holdsQuestion(view.state.doc) ? whenNear(view, () => void load(view)) : () => {};
      return {
        destroy: unwatch,
        update(view, before) {
          const { doc } = view.state;
          if (doc === before.doc) return;
          if (!editing && holdsQuestion(doc)) void load(view);
          if (!withQuestions) return;
          const pasted = questionsKey.getState(view.state);
          if (pasted && pasted.serial !== questionsKey.getState(before)?.serial && mayHoldQuestions(doc, pasted)) void offer(view, pasted);
        },
      };
    },
  });
}

/** Distance from the visible part at which a question's tools are loaded: about one screen. */
const NEAR = '100% 0px';

/** Calls `act` once a question of the text is near the visible part of the page, or at once if the address names one. Returns a function that stops this. */
function whenNear(view: EditorView, act: () => void): () => void {
  if (location.hash.startsWith('#q-')) {
    act();
    return () => {};
  }
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      act();
    },
    { rootMargin: NEAR },
  );
  for (const question of view.dom.querySelectorAll('section.question')) watch.observe(question);
  return () => watch.disconnect();
}

function holdsQuestion(doc: Node): boolean {
  for (let index = 0; index < doc.childCount; index += 1) if (doc.child(index).type.name === 'question') return true;
  return false;
}

/** Returns the range of a paste, or the last one where later changes moved it. */
function pastedRange(tr: Transaction, before: PastedRange | null): PastedRange | null {
  if (tr.getMeta('paste') !== true) return before && { ...before, from: tr.mapping.map(before.from), to: tr.mapping.map(before.to, -1) };
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const [index, map] of tr.mapping.maps.entries()) {
    const later = tr.mapping.slice(index + 1);
    map.forEach((_from, _to, start, end) => {
      from = Math.min(from, later.map(start, -1));
      to = Math.max(to, later.map(end));
    });
  }
  return from < to ? { from, to, serial: (before?.serial ?? 0) + 1 } : null;
}
