import t from 'tap';
import { troubleOf } from './trouble.ts';

t.test('the message of a refusal is shown; what passes by itself is repeated silently', async (t) => {
  const body = { message: 'Ce concours blanc est fermé.' };
  for (const status of [400, 403, 404, 409, 413, 422, 451]) t.same(troubleOf({ status, body }), body, `${status}`);
  for (const status of [200, 408, 425, 429, 500, 502, 503, 504]) t.equal(troubleOf({ status, body }), 'network', `${status}`);
  t.equal(troubleOf({ status: 403, body: '' }), 'network', 'an answer of something before the site');
  t.equal(troubleOf({ status: 401, body }), 'signed-out');
  t.equal(troubleOf(null), 'network');
});
