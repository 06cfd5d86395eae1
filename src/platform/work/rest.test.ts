import t from 'tap';
import { restMs } from './rest.ts';

t.test('a background thread pauses twice as long as it has worked if its core is contended', async (t) => {
  t.equal(restMs(10, 10), 0, 'no contention');
  t.equal(restMs(12, 10), 0, 'a short interruption');
  t.equal(restMs(20, 10), 20, 'half of the core was used by others');
  t.equal(restMs(200, 10), 20, 'depends on its own work, not on its waiting time');
});
