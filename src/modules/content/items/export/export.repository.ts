import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../../shared/item-kinds.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { kindOrder, outlineLimit, shownTitle } from '../item.repository.ts';

/** An item with questions. */
export interface ItemWithQuestions {
  id: number;
  kind: ItemKind;
  titre: string;
  contenu: string;
  keys: QuestionKey[];
}

/** Returns the items of a discipline that have questions, in its order. Parameters: discipline; item, or null for all. */
export const itemsWithQuestions = namedStatement<ItemWithQuestions>({
  name: 'content.items-with-questions',
  text: `select id, kind, ${shownTitle('item')} as titre, contenu, keys from item
         where discipline_id = $1 and ($2::int is null or id = $2) and keys <> '[]'
         order by ${kindOrder}, numero_page limit ${outlineLimit}`,
});
