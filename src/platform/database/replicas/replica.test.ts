import t from 'tap';
import { Replica } from './replica.ts';
import { WrittenSoFar } from './written-so-far.ts';

const told = (replayed: number | null, { recovering = true, cluster = 'ours' } = {}) => ({ replayed, recovering, cluster });

t.test('a replica has everything from before the latest moment at which the primary had written no more', async (t) => {
  const written = new WrittenSoFar();
  t.equal(written.knownUntil(100), null, 'nobody has asked');
  written.add(1_000, 100);
  written.add(2_000, 200);
  written.add(3_000, 300);
  t.equal(written.knownUntil(99), null);
  t.equal(written.knownUntil(100), 1_000);
  t.equal(written.knownUntil(299), 2_000);
  written.add(9_000, 300);
  t.equal(written.knownUntil(300), 9_000, 'nothing was written in between: it is not late');
  written.add(10_000, 250);
  t.equal(written.knownUntil(249), null, 'another primary goes on from less, and what the first one had counts for nothing');
  t.equal(written.knownUntil(250), 10_000);
});

t.test('what is no replica of this primary has a fault, and is known until never', async (t) => {
  const replica = new Replica('postgresql://web:secret@replica.example:5433/prepa', { poolSize: 1, namedStatements: true });
  t.equal(replica.name, 'replica.example:5433', 'nothing of who signs in');
  const written = new WrittenSoFar();
  written.add(1_000, 100);
  const judged = (what: ReturnType<typeof told> | null, cluster: string | null = 'ours') => {
    replica.judge(what, written, cluster);
    return [replica.fault, replica.knownUntil];
  };
  const never = Number.NEGATIVE_INFINITY;
  t.same(judged(told(100)), [null, 1_000]);
  t.same(judged(null), ['unreachable', never]);
  t.same(judged(told(100, { recovering: false })), ['no replica', never], 'promoted, it remembers how far it had come');
  t.same(judged(told(100, { cluster: 'theirs' })), ['of another cluster', never]);
  t.same(judged(told(100), null), ['of another cluster', never], 'while the primary has never answered');
  t.same(judged(told(100)), [null, 1_000], 'well again');

  t.same(judged(told(101)), ['of another history', never], 'it has what the primary never wrote');
  written.add(2_000, 101);
  written.add(3_000, 200);
  t.same(judged(told(101)), ['of another history', never], 'also when the primary has written as much');
  t.same(judged(told(150)), [null, 2_000], 'made anew, it goes on');
  await replica.close();
});
