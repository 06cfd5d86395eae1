import t from 'tap';
import { restMs } from './rest.ts';

t.test('a background thread rests where others want its core, twice as long as it has worked', async (t) => {
  t.equal(restMs(10, 10), 0, 'alone');
  t.equal(restMs(12, 10), 0, 'interrupted for a moment');
  t.equal(restMs(20, 10), 20, 'half of the core was somebody else’s');
  t.equal(restMs(200, 10), 20, 'by its own work, however long it has waited');
});
