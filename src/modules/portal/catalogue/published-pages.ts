import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { type PageAsked, type PublishedPage, readPublishedPage } from './published-page.repository.ts';

/** Maximum number of cached pages; each has at most 60 cards or 12,000 letters. */
const maxPages = 200;

/** Finds a page of the published prepas as of a revision or later. Without a revision the page is read each time. */
export type FindPublishedPage = (em: EntityManager, revision: string | null, asked: PageAsked) => Promise<PublishedPage>;

/**
 * Returns a cache of pages of the published prepas, the same for all learners. The key holds the catalogue's revision, which the
 * caller has read. Concurrent requests of a missing page share one read.
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
