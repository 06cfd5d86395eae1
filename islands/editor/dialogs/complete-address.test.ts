import t from 'tap';
import { completeAddress } from './complete-address.ts';

t.test('what is typed for an address becomes one', async (t) => {
  t.equal(completeAddress(' exemple.cm '), 'https://exemple.cm');
  t.equal(completeAddress('www.exemple.cm/cours?page=2'), 'https://www.exemple.cm/cours?page=2');
  t.equal(completeAddress('//exemple.cm'), 'https://exemple.cm');
  t.equal(completeAddress('nom@exemple.cm'), 'mailto:nom@exemple.cm');
});

t.test('what has a scheme, or is no address, stays for the rule to judge', async (t) => {
  for (const text of ['https://a.cm', 'tel:+237600000000', 'javascript:alert(1)', 'data:text/html,x', '', 'voir le cours', '/media/1.png'])
    t.equal(completeAddress(text), text);
});
