import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import { type FrozenPaperRow, findPapers } from './paper.repository.ts';

/** Memory for papers, in bytes. Their pictures are in their texts. */
const cacheBytes = 32 * 1024 * 1024;

/** Papers of announced exams, in the memory of one process. They never change. One for each application. */
export class PaperCache {
  readonly #papers = new LRUCache<string, FrozenPaperRow[], { em: EntityManager; id: number }>({
    maxSize: cacheBytes,
    sizeCalculation: (papers) => papers.reduce((sum, { contenu }) => sum + 2 * contenu.length, 1),
    fetchMethod: async (_name, _stale, { context: { em, id } }) => {
      await requireRightClock(em);
      return findPapers(em, id);
    },
  });

  /**
   * Returns the papers of an announced exam. The caller checks that it is open. Concurrent requests share one read.
   * @throws WrongClockError at a read, if this machine's clock is wrong
   */
  papers(em: EntityManager, { id, announcedAt }: { id: number; announcedAt: Date | null }): Promise<FrozenPaperRow[]> {
    return this.#papers.forceFetch(`${id} ${announcedAt?.getTime()}`, { context: { em, id } });
  }
}
