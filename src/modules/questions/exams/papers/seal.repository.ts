import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { batchedStatement } from '../../../../platform/database/batched-statement.ts';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { ReadCache } from '../../../../platform/database/read-cache.ts';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';

/** Memory for sealed papers, in bytes. They are some 100,000 each, at most 8 million. */
const sealedBytes = 32 * 1024 * 1024;
/** Number of keys in memory. */
const maxKeys = 100;

const sealedOf = namedStatement<{ sealed: Buffer }>({
  name: 'exams.sealed',
  text: `select s.sealed from exam_seal s join exam x on x.id = s.exam_id where x.id = $1 and x.announced_at = $2`,
});

const openings = batchedStatement<{ opensAt: string | null }>({
  name: 'exams.openings',
  maxEntries: 500,
  text: `select e.position::int, x.opens_at
         from rows from (jsonb_to_recordset($1::jsonb) as (id int)) with ordinality as e (id, position)
         left join exam x on x.id = e.id and x.announced_at is not null`,
});

const keyOf = namedStatement<{ opensAt: Date; key: Buffer }>({
  name: 'exams.key',
  text: `select x.opens_at, s.key from exam x join exam_seal s on s.exam_id = x.id where x.id = $1 and x.opens_at <= $2 and x.announced_at is not null`,
});

/** Sealed papers and released keys, in the memory of one process. One for each application. */
export class Seals {
  readonly #sealed = new ReadCache<string, Buffer, { em: EntityManager; id: number; announcedAt: Date | null }>({
    maxSize: sealedBytes,
    sizeCalculation: ({ length }) => Math.max(1, length),
    fetchMethod: async (_name, _stale, { context: { em, id, announcedAt } }) => (await sealedOf(em, [id, announcedAt]))[0]?.sealed,
  });
  readonly #releasing = new Map<number, Promise<{ key: string } | null>>();
  /** Keys of open exams, as base64. Nobody can take back a released key, so that they are not looked up again. */
  readonly #keys = new LRUCache<number, { opensAt: number; key: string }>({ max: maxKeys });

  /** Returns the sealed paper of an announced exam; null without one. Concurrent requests share one read. */
  async sealed(em: EntityManager, { id, announcedAt }: { id: number; announcedAt: Date | null }): Promise<Buffer | null> {
    return (await this.#sealed.fetch(`${id} ${announcedAt?.getTime()}`, { context: { em, id, announcedAt } })) ?? null;
  }

  /**
   * Returns the key of an exam, as base64, from its opening on; before, the time of the opening, which is read anew for each request. Null
   * without an announced exam.
   * @throws WrongClockError before the first release by this process, if its clock is wrong
   */
  async key(em: EntityManager, id: number, now: Date): Promise<{ key: string } | { opensAt: Date } | null> {
    const known = this.#keys.get(id);
    if (known && known.opensAt <= now.getTime()) return { key: known.key };
    const { opensAt } = await openings(em, { id });
    if (opensAt === null) return null;
    if (new Date(opensAt) > now) return { opensAt: new Date(opensAt) };
    const releasing = this.#releasing.get(id) ?? this.#release(em, id, now).finally(() => this.#releasing.delete(id));
    this.#releasing.set(id, releasing);
    // Null: the opening was moved between the two reads.
    return (await releasing) ?? this.key(em, id, now);
  }

  async #release(em: EntityManager, id: number, now: Date): Promise<{ key: string } | null> {
    await requireRightClock(em);
    const [row] = await keyOf(em, [id, now]);
    if (!row) return null;
    const released = { opensAt: row.opensAt.getTime(), key: row.key.toString('base64') };
    this.#keys.set(id, released);
    return { key: released.key };
  }
}
