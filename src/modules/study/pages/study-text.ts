import type { ItemKind } from '../../../shared/item-kinds.ts';
import { type MarkingRule, ordinaryRule } from '../../../shared/questions/marking-rule.ts';
import { seriesText } from '../../../shared/questions/series.ts';

interface StudyItem {
  id: number;
  kind: ItemKind | null;
  duree: number | null;
  bareme: MarkingRule | null;
  contenu: string | null;
}

/** Returns an item with the text of its study page: that of a series is its introduction and how to begin. */
export const asStudyText = <Item extends StudyItem>(item: Item): Item =>
  item.kind === 'quiz'
    ? { ...item, contenu: seriesText(item.contenu ?? '', { id: item.id, duree: item.duree, bareme: item.bareme ?? ordinaryRule }) }
    : item;
