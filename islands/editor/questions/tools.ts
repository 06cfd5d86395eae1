import { binIcon, questionIcons } from '../toolbar/row-icons.ts';
import { button, type ToolbarGroup } from '../toolbar/toolbar.ts';
import {
  addChoice,
  choiceAround,
  deleteChoice,
  deleteQuestion,
  moveChoice,
  questionAround,
  toExplanation,
  toggleRemark,
  toggleRight,
} from './commands.ts';

/** Returns the groups of the second row, shown while the selection is in a question. */
export const questionGroups = (): ToolbarGroup[] => [
  {
    id: 'choice',
    items: [
      button('choice-right', 'Choix juste', questionIcons.right, toggleRight, {
        keys: 'Mod-Enter',
        isActive: (state) => choiceAround(state)?.part?.attrs.right === true,
      }),
      button('choice-remark', 'Remarque du choix', questionIcons.remark, toggleRemark, {
        isActive: (state) => choiceAround(state)?.part?.lastChild?.type.name === 'question_remark',
      }),
      button('choice-up', 'Monter le choix', questionIcons.up, moveChoice(-1), { keys: 'Alt-ArrowUp' }),
      button('choice-down', 'Descendre le choix', questionIcons.down, moveChoice(1), { keys: 'Alt-ArrowDown' }),
      button('choice-add', 'Ajouter un choix', questionIcons.add, addChoice),
      button('choice-delete', 'Supprimer le choix', questionIcons.deleteChoice, deleteChoice),
    ],
  },
  {
    id: 'question',
    items: [
      button('explanation', 'Explication', questionIcons.explanation, toExplanation, {
        keys: 'Alt-Enter',
        isActive: (state) => questionAround(state)?.part?.type.name === 'question_explanation',
      }),
      button('question-delete', 'Supprimer la question', binIcon, deleteQuestion),
    ],
  },
];
