import t from 'tap';
import { Replica } from './replica.ts';
import { WrittenSoFar } from './written-so-far.ts';

const told = (replayed: number | null, { recovering = true, cluster = 'ours' } = {}) => ({ replayed, recovering, cluster });

t.test('a replica has every commit before the latest sample that it has replayed', async (t) => {
  const written = new WrittenSoFar();
  t.equal(written.knownUntil(100), null, 'without samples no time is known');
  written.add(1_000, 100);
  written.add(2_000, 200);
  written.add(3_000, 300);
  t.equal(written.knownUntil(99), null);
  t.equal(written.knownUntil(100), 1_000);
  t.equal(written.knownUntil(299), 2_000);
  written.add(9_000, 300);
  t.equal(written.knownUntil(300), 9_000, 'a replica is current if nothing was written since');
  written.add(10_000, 250);
  t.equal(written.knownUntil(249), null, 'a new primary with a lower position discards earlier samples');
  t.equal(written.knownUntil(250), 10_000);
});

t.test('a server that is not a replica of this primary has a fault and is never current', async (t) => {
  const replica = new Replica('postgresql://web:secret@replica.example:5433/prepa', { poolSize: 1, namedStatements: true });
  t.equal(replica.name, 'replica.example:5433', 'the name contains no credentials');
  const written = new WrittenSoFar();
  written.add(1_000, 100);
  const judged = (what: ReturnType<typeof told> | null, cluster: string | null = 'ours') => {
    replica.judge(what, written, cluster);
    return [replica.fault, replica.knownUntil];
  };
  const never = Number.NEGATIVE_INFINITY;
  t.same(judged(told(100)), [null, 1_000]);
  t.same(judged(null), ['unreachable', never]);
  t.same(judged(told(100, { recovering: false })), ['no replica', never], 'a promoted server still reports its replayed position');
  t.same(judged(told(100, { cluster: 'theirs' })), ['of another cluster', never]);
  t.same(judged(told(100), null), ['of another cluster', never], 'a replica is refused while the identifier of the primary is unknown');
  t.same(judged(told(100)), [null, 1_000], 'a correct replica is usable again');

  t.same(judged(told(101)), ['of another history', never], 'a replica ahead of the primary is refused');
  written.add(2_000, 101);
  written.add(3_000, 200);
  t.same(judged(told(101)), ['of another history', never], 'the replica is refused even after the primary has passed its position');
  t.same(judged(told(150)), [null, 2_000], 'a rebuilt replica that advances is usable');
  await replica.close();
});
