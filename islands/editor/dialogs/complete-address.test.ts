import t from 'tap';
import { linkAddress } from '../../../src/shared/rich-text/addresses.ts';
import { completeAddress } from './complete-address.ts';

t.test('typed text becomes an address', async (t) => {
  t.equal(completeAddress(' exemple.cm '), 'https://exemple.cm');
  t.equal(completeAddress('www.exemple.cm/cours?page=2'), 'https://www.exemple.cm/cours?page=2');
  t.equal(completeAddress('//exemple.cm'), 'https://exemple.cm');
  t.equal(completeAddress('nom@exemple.cm'), 'mailto:nom@exemple.cm');
});

t.test('spaces are encoded', async (t) => {
  t.equal(completeAddress('https://exemple.cm/mon cours/été 1.pdf'), 'https://exemple.cm/mon%20cours/été%201.pdf');
  t.equal(completeAddress('exemple.cm/mon\u00a0cours'), 'https://exemple.cm/mon%C2%A0cours');
  t.equal(completeAddress('tel:+237 699 00 11 22'), 'tel:+237699001122');
  t.equal(completeAddress(' +237 699-00-11-22 '), 'tel:+237699001122');
  t.equal(completeAddress('mailto: nom@exemple.cm?subject=Un cours'), 'mailto:nom@exemple.cm?subject=Un%20cours');
  t.equal(linkAddress(completeAddress('https://exem ple.cm')), null, 'a host cannot have spaces');
  t.equal(linkAddress(completeAddress('https://exemple.cm/a\nb')), null, 'line feeds are not encoded');
  t.equal(linkAddress(completeAddress('2024')), null);
});

t.test('text that has a scheme, or that is not an address, stays unchanged', async (t) => {
  for (const text of ['https://a.cm', 'tel:+237600000000', 'javascript:alert(1)', 'data:text/html,x', '', 'voir le cours', '/media/1.png'])
    t.equal(completeAddress(text), text);
});
