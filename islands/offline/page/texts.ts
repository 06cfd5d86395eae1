import { offlineFormat, type TextsAnswer } from '../../../src/shared/offline/offline-copy.ts';
import { wholeItems } from '../../../src/shared/offline/text-change.ts';
import { ask, type Reply } from '../both/ask.ts';
import type { Copy } from '../both/store/records.ts';
import { applyTexts, itemsOf } from '../both/store/texts.ts';
import { limited } from './limited.ts';

/** Response timeout, in ms: long enough for all texts over a slow network. */
const timeoutMs = 120_000;

/**
 * Result of fetching texts: ids of the fetched items, or the failure. `refused` is the server's error response, null without a response;
 * 'outdated' is the format of another release; 'removed' is a copy removed meanwhile.
 */
export type TextsFetched = { changed: number[] } | { refused: Reply<object> | null } | 'outdated' | 'removed';

/** Fetches the texts of a copy that differ from the stored ones, or all texts. @throws StorageRefused */
export async function fetchTexts(copy: Copy, signal?: AbortSignal): Promise<TextsFetched> {
  const path = `prepas/${copy.id}`;
  const held = copy.format === offlineFormat ? await itemsOf(copy.id) : [];
  const { disciplines } = copy;
  const tenus = held.map(({ id, version }) => [id, version]);
  let reply =
    held.length > 0
      ? await ask<TextsAnswer>(`${path}/differences`, {
          body: { disciplines, tenus, changements: true },
          signal: limited(signal, timeoutMs),
        })
      : await ask<TextsAnswer>(allOf(path, disciplines), { signal: limited(signal, timeoutMs) });
  for (let isSecond = false; ; isSecond = true) {
    if (!reply?.ok || !reply.body) return { refused: reply };
    if (reply.body.format !== offlineFormat) return 'outdated';
    const items = wholeItems(reply.body, new Map(held.map((item) => [item.id, item])));
    const applied = await applyTexts(copy.id, { ...reply.body, items });
    if (!applied) return 'removed';
    if (applied.missing.length === 0 || isSecond) return { changed: applied.changed };
    // The stored texts do not match the reported versions: fetch all texts.
    reply = await ask<TextsAnswer>(allOf(path, disciplines), { signal: limited(signal, timeoutMs) });
  }
}

const allOf = (path: string, disciplines: number[] | null): string =>
  disciplines ? `${path}/textes?disciplines=${disciplines.join(',')}` : `${path}/textes`;
