import type { Command, EditorState } from 'prosemirror-state';
import type { QuestionKind } from '../../../src/shared/rich-text/question-kinds.ts';
import { foldText } from '../../../src/shared/search-text.ts';
import { insertQuestionOf } from '../commands/insertions.ts';
import { overText } from '../commands/whole-text.ts';
import type { IconName } from '../toolbar/icons.tsx';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';

/** A block that the list offers. */
export interface SlashEntry {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly keys?: string | undefined;
  /** Folded words by which the entry is found. */
  readonly words: readonly string[];
  readonly run: Command;
}

/** The toolbar's blocks that are offered, in this order, with further words for the search. */
const offered: Record<string, string> = {
  h1: 'grand titre partie',
  h2: 'sous-titre section',
  h3: 'sous-titre section',
  h4: 'sous-titre',
  h5: 'sous-titre',
  h6: 'sous-titre',
  bullet_list: 'tirets points enumeration',
  ordered_list: 'numeros enumeration',
  formula: 'equation mathematiques latex tex',
  table: 'grille colonnes lignes',
  image: 'photo figure dessin schema',
  video: 'youtube film',
  blockquote: 'encadre remarque',
  code_block: 'programme algorithme python',
  rule: 'trait horizontal',
  link: 'adresse url',
  question: '',
  import: 'fichier docx',
};

/** The letter T. */
const HEADING: IconName = 'M5 7V4h14v3M12 4v16M9 20h6';

const questions: [QuestionKind, string, string][] = [
  ['one', 'Question : un choix', 'qcm quiz'],
  ['several', 'Question : plusieurs choix', 'qcm quiz'],
  ['number', 'Question : nombre', 'numerique calcul quiz'],
  ['text', 'Question : texte court', 'reponse quiz'],
];

/** Returns the blocks that the toolbar's groups can insert. */
export function slashEntries(groups: readonly ToolbarGroup[]): SlashEntry[] {
  const found = new Map<string, SlashEntry>();
  const add = (id: string, label: string, icon: IconName, run: Command, more: string, keys?: string) =>
    found.set(id, { id, label, icon, keys, words: foldText(`${label} ${more}`).split(/[^a-z0-9]+/), run });
  for (const item of groups.flatMap(({ items }) => items)) {
    if (item.kind === 'button') add(item.id, item.label, item.icon, item.run, offered[item.id] ?? '', item.keys);
    else if (item.id === 'level') {
      for (const { id, label, run, keys } of item.items) add(id, label, HEADING, run, offered[id] ?? '', keys);
    }
  }
  return Object.keys(offered).flatMap((id) => {
    const entry = found.get(id);
    if (!entry || id !== 'question') return entry ?? [];
    for (const [kind, label, more] of questions) add(`question-${kind}`, label, 'question', insertQuestionOf(kind), more);
    return questions.flatMap(([kind]) => found.get(`question-${kind}`) ?? []);
  });
}

/** Returns the entries that can be inserted here and of which a word, or the label without spaces, begins with the typed text. */
export function matching(entries: readonly SlashEntry[], typed: string, state: EditorState): SlashEntry[] {
  const query = foldText(typed);
  return entries.filter(
    ({ words, run }) => (words.some((word) => word.startsWith(query)) || words.join('').startsWith(query)) && overText(run)(state),
  );
}
