import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { type PageAsked, type PublishedPage, readPublishedPage } from './published-page.repository.ts';

/** Pages that are kept: each has 60 cards or 12,000 letters at most. */
const maxPages = 200;

/** Finds a page of the published prepas as they stood at a revision, or later. Without a revision it is read each time. */
export type FindPublishedPage = (em: EntityManager, revision: string | null, asked: PageAsked) => Promise<PublishedPage>;

/**
 * Pages of the published prepas, the same for all learners: kept by the catalogue's revision, which whoever asks has read before. Of all who wait for one that is
 * not there the first reads it.
 */
export function publishedPageFinder(): FindPublishedPage {
  const kept = new LRUCache<string, Promise<PublishedPage>>({ max: maxPages });
  return (em, revision, asked) => {
    if (revision === null) return readPublishedPage(em, asked, null);
    const key = JSON.stringify([revision, asked.q.toLowerCase(), asked.page, asked.pageSize]);
    const known = kept.get(key);
    if (known) return known;
    const page = readPublishedPage(em, asked, revision);
    kept.set(key, page);
    page.catch(() => kept.delete(key));
    return page;
  };
}
