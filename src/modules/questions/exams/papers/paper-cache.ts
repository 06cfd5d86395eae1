import type { EntityManager } from '@mikro-orm/postgresql';
import { ReadCache } from '../../../../platform/database/read-cache.ts';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import { PictureLinks, type Pictures, sizeOf } from './linked-pictures.ts';
import { type FrozenPaperRow, findPapers } from './paper.repository.ts';

/** Memory for papers and their pictures, in bytes. */
const cacheBytes = 32 * 1024 * 1024;

/** Papers whose texts link to their pictures. */
interface LinkedPapers {
  papers: FrozenPaperRow[];
  pictures: Pictures;
}

/**
 * Returns the papers of an announced exam, whose texts hold their pictures. The caller checks that it is open.
 * @throws WrongClockError if this machine's clock is wrong
 */
export async function readOpenPapers(em: EntityManager, id: number): Promise<FrozenPaperRow[]> {
  await requireRightClock(em);
  return findPapers(em, id);
}

/** Papers of announced exams, in the memory of one process. They never change. One for each application. */
export class PaperCache {
  readonly #papers = new ReadCache<string, LinkedPapers, { em: EntityManager; id: number }>({
    maxSize: cacheBytes,
    sizeCalculation: ({ papers, pictures }) => papers.reduce((sum, { contenu }) => sum + 2 * contenu.length, 1 + sizeOf(pictures)),
    fetchMethod: async (_name, _stale, { context: { em, id } }) => {
      const links = new PictureLinks(id);
      const papers = await readOpenPapers(em, id);
      return { papers: papers.map((paper) => ({ ...paper, contenu: links.inText(paper.contenu) })), pictures: links.pictures };
    },
  });

  /**
   * Returns the papers of an announced exam. The caller checks that it is open. Concurrent requests share one read.
   * @throws WrongClockError at a read, if this machine's clock is wrong
   */
  linked(em: EntityManager, { id, announcedAt }: { id: number; announcedAt: Date | null }): Promise<LinkedPapers> {
    return this.#papers.forceFetch(`${id} ${announcedAt?.getTime()}`, { context: { em, id } });
  }
}
