import { formatDate } from '../../../shared/dates.ts';
import { itemKinds } from '../../../shared/item-kinds.ts';
import { countedItems } from '../../content/index.ts';
import type { PrepaContents } from './contents.repository.ts';

/** Returns the contents of a prepa in words; nulls when it has none. */
export function presentContents(contents: PrepaContents) {
  const { changedAt } = contents;
  const parts = itemKinds.filter((kind) => contents[kind] > 0).map((kind) => countedItems(kind, contents[kind]));
  return { contenu: parts.join(', ') || null, mise_a_jour: changedAt && formatDate(changedAt) };
}
