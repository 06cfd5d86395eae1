import t from 'tap';
import { readSearch } from './search.ts';

t.test('the form of the typed text decides the kind of search', async (t) => {
  const reference = (...references: string[]) => ({ kind: 'reference', references, phoneLast: null });
  t.same(readSearch('  '), null);
  t.same(readSearch('\0\n'), null);
  t.same(readSearch(' Awa@Gmail.com '), { kind: 'email', email: 'Awa@Gmail.com' });
  t.same(readSearch('3456'), { kind: 'phone', last: '3456' });
  t.same(readSearch('345'), reference('345'));
  t.same(readSearch('trx.sim_abc'), reference('trx.sim_abc'));
  t.same(readSearch('ZP1768471200000a1b2c3d4'), reference('ZP1768471200000a1b2c3d4'));
  t.same(readSearch('zp1768471200000A1B2C3D4'), reference('zp1768471200000A1B2C3D4', 'ZP1768471200000a1b2c3d4'));
  for (const phone of ['699123456', '+237 699 12 34 56', '00237699123456', '237699123456', '6 99 12 34 5 6'])
    t.same(readSearch(phone), { kind: 'reference', references: [phone], phoneLast: '3456' }, phone);
  for (const phone of ['6\u201199\u201112\u201134\u201156', '\u200e699123456\u200f', '699\u202f12\u00a034 56'])
    t.match(readSearch(phone), { kind: 'reference', phoneLast: '3456' }, `as a page or a document writes it: ${phone}`);
  t.same(
    readSearch('\u200bZP1768471200000a1b2c3d4\ufeff'),
    reference('ZP1768471200000a1b2c3d4'),
    'invisible characters around a reference are ignored',
  );
  t.same(readSearch('x'.repeat(300)), reference('x'.repeat(255)));
});
