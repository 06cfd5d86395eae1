import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { call } from '../../runtime/post.ts';
import { itemAddress, type SaveAnswer } from '../items/calls.ts';
import type { ItemVersion, VersionSummary } from '../items/records.ts';

export const readVersions = (kind: ItemKind, id: number) => call<VersionSummary[]>('GET', `${itemAddress(kind, id)}/versions`);
export const readVersion = (kind: ItemKind, id: number, version: number) =>
  call<ItemVersion>('GET', `${itemAddress(kind, id)}/versions/${version}`);
/** @param current the item's current version known to the screen */
export const restoreVersion = (kind: ItemKind, id: number, version: number, current: number): Promise<SaveAnswer | null> =>
  call('POST', `${itemAddress(kind, id)}/versions/${version}/restore`, { version: current });
