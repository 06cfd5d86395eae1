import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import { type FrozenPaperRow, findPapers } from './paper.repository.ts';

/** Memory for papers, in bytes. Their pictures are in their texts. */
const cacheBytes = 32 * 1024 * 1024;

/** Papers of announced exams, in the memory of one process. They never change. One for each application. */
export class PaperCache {
  readonly #papers = new LRUCache<string, FrozenPaperRow[]>({
    maxSize: cacheBytes,
    sizeCalculation: (papers) => papers.reduce((sum, { contenu }) => sum + 2 * contenu.length, 1),
  });
  readonly #reading = new Map<string, Promise<FrozenPaperRow[]>>();

  /**
   * Returns the papers of an announced exam. The caller checks that it is open. Concurrent requests share one read.
   * @throws WrongClockError at a read, if this machine's clock is wrong
   */
  async papers(em: EntityManager, { id, announcedAt }: { id: number; announcedAt: Date | null }): Promise<FrozenPaperRow[]> {
    const name = `${id} ${announcedAt?.getTime()}`;
    const known = this.#papers.get(name);
    if (known) return known;
    const reading =
      this.#reading.get(name) ??
      requireRightClock(em)
        .then(() => findPapers(em, id))
        .then((papers) => {
          this.#papers.set(name, papers);
          return papers;
        })
        .finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }
}
