import t from 'tap';
import { createTestApp } from '../../../../../test/support/app.ts';
import { createAnnouncedExam } from '../../../../../test/support/exams.ts';
import { holding, sql, untilBlocked } from '../../../../../test/support/sql.ts';
import { MarkedExams } from '../results/marked-exams.ts';
import { PaperCache } from './paper-cache.ts';
import { Seals } from './seal.repository.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl } = home;
const rule = { juste: 1, faux: 0, sans: 0 };

t.test('a cache that makes room for one exam still answers those who wait for another', async (t) => {
  const exams = await Promise.all([1, 2, 3].map(() => createAnnouncedExam(home)));
  const ids = exams.map(({ id }) => id);
  // Two of them fill more than any of the caches.
  await sql(databaseUrl, `update exam_paper set contenu = contenu || repeat('a', 9000000) where exam_id = any($1)`, [ids]);
  await sql(
    databaseUrl,
    `update exam_question set key = jsonb_set(key, '{explanation}', to_jsonb(repeat('a', 9000000))) where exam_id = any($1)`,
    [ids],
  );
  await sql(databaseUrl, `update exam_seal set sealed = convert_to(repeat('a', 17000000), 'utf8') where exam_id = any($1)`, [ids]);
  const announcedAt = (
    await sql<{ at: Date }>(databaseUrl, 'select announced_at as at from exam where id = any($1) order by id', [ids])
  ).map(({ at }) => at);
  const [papers, marked, seals] = [new PaperCache(), new MarkedExams(), new Seals()];
  const readers = {
    exam_paper: (index: number) => papers.linked(kernel.fork(), { id: ids[index] ?? 0, announcedAt: announcedAt[index] ?? null }),
    exam_question: (index: number) => marked.find(kernel.fork(), { id: ids[index] ?? 0, markedAt: new Date(0), bareme: rule }),
    exam_seal: (index: number) => seals.sealed(kernel.fork(), { id: ids[index] ?? 0, announcedAt: announcedAt[index] ?? null }),
  };
  for (const [table, read] of Object.entries(readers)) {
    await read(0);
    const waiting = await holding(databaseUrl, `lock table ${table} in access exclusive mode`, async () => {
      const reads = [read(1), read(2)];
      await untilBlocked(databaseUrl, 2);
      // Now those two are the ones whose use is longest ago.
      await read(0);
      return { reads };
    });
    const found = await Promise.allSettled(waiting.reads);
    t.same(
      found.map((one) => (one.status === 'rejected' ? String(one.reason) : one.value !== null)),
      [true, true],
      table,
    );
  }
});
