import t from 'tap';
import { restMs } from './rest.ts';

t.test('a background thread pauses twice as long as it has worked if its core is contended', async (t) => {
  t.equal(restMs(10, 10), 0, 'no pause without contention');
  t.equal(restMs(12, 10), 0, 'no pause after a short interruption');
  t.equal(restMs(20, 10), 20, 'a pause if others used half of the core');
  t.equal(restMs(200, 10), 20, 'the pause depends on the work done, not on the waiting time');
});
