import { keymap } from 'prosemirror-keymap';
import { type Command, Plugin } from 'prosemirror-state';
import { overText } from '../commands/whole-text.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import { choiceView } from './choice-view.ts';
import { aheadInQuestion, backInQuestion, deleteAtEnd, enterInQuestion } from './commands.ts';
import { currentQuestion } from './current-question.ts';
import { questionView } from './question-view.ts';
import { questionGroups } from './tools.ts';

export { showNamedQuestion } from './named-question.ts';
export { questionsIn, transformQuestions } from './written-questions.ts';

/** Returns the toolbar's row for questions, and the plugins that edit them: views, keys and the mark of the current question. */
export function questionEditing(): { groups: readonly ToolbarGroup[]; plugins: Plugin[] } {
  const groups = questionGroups();
  const keys: Record<string, Command> = {};
  for (const item of groups.flatMap(({ items }) => items)) if (item.kind === 'button' && item.keys) keys[item.keys] = overText(item.run);
  const own = { Enter: enterInQuestion, 'Mod-Enter': aheadInQuestion, Backspace: backInQuestion, Delete: deleteAtEnd };
  return {
    groups,
    plugins: [
      keymap({ ...keys, ...own }),
      currentQuestion(),
      new Plugin({ props: { nodeViews: { question: questionView, question_choice: choiceView } } }),
    ],
  };
}
