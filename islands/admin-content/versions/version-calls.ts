import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { call } from '../../runtime/post.ts';
import { itemAddress, type SavedItem, saveTimeoutMs } from '../items/calls.ts';
import type { Item, ItemVersion, VersionSummary } from '../items/records.ts';

export const readVersions = (kind: ItemKind, id: number) => call<VersionSummary[]>('GET', `${itemAddress(kind, id)}/versions`);
export const readVersion = (kind: ItemKind, id: number, version: number) =>
  call<ItemVersion>('GET', `${itemAddress(kind, id)}/versions/${version}`);
/** @param current the item's current version known to the screen */
export const restoreVersion = (kind: ItemKind, id: number, version: number, current: number) =>
  call<SavedItem & { current: Item; changedBy: string | null }>('POST', `${itemAddress(kind, id)}/versions/${version}/restore`, {
    version: current,
  });
