import t from 'tap';
import { asAsked, isByNetwork, keptAddress, throughNetwork } from './address.ts';

const site = 'https://prepa.example';
const at = (path: string) => keptAddress(new URL(path, site));

t.test('the address of a kept prepa gives its page', async (t) => {
  const item = { type: 'course', id: 12 };
  t.same(at('/user/prepa/3'), { page: 'disciplines', prepa: 3 });
  t.same(at('/user/prepa/3/4'), { page: 'study', prepa: 3, discipline: 4, item: null });
  t.same(at('/user/prepa/3/4?type=course&item=12'), { page: 'study', prepa: 3, discipline: 4, item });
  t.same(at('/user/prepa/3/4/suite?type=course&item=12'), { page: 'outcome', prepa: 3, discipline: 4, item });
  const practice = { page: 'practice', prepa: 3, discipline: 4, item };
  t.same(at('/user/prepa/3/4/entrainement?type=course&item=12'), { ...practice, corrected: false });
  t.same(at('/user/prepa/3/4/entrainement?type=course&item=12&corrige=oui'), { ...practice, corrected: true });
  t.same(at('/user/recherche?q=%20la%0A suite &prepa=3&page=2'), { page: 'search', prepa: 3, q: 'la suite', number: 2 });
  const seance = '0b5e7c1a-2f34-4a5b-8c6d-7e8f90a1b2c3';
  t.same(at(`/user/prepa/3/4/entrainement?type=course&item=12&seance=${seance}`), { ...practice, corrected: false, seance });
  t.same(at('/user/prepa/3/4/entrainement?type=course&item=12&seance=//x'), { ...practice, corrected: false });
  t.same(at('/user/seance'), { page: 'session', prepa: null, id: null });
  t.same(at('/user/seance?prepa=3'), { page: 'session', prepa: 3, id: null });
  t.same(at(`/user/seance/${seance}`), { page: 'session', prepa: null, id: seance });
  t.equal(at('/user/seance/12'), null);
  t.same(at('/user/a-revoir'), { page: 'learner', path: '/user/a-revoir' });
});

t.test('every other address gives no kept page', async (t) => {
  for (const path of [
    '/',
    '/user/prepa',
    '/user/prepa/0',
    '/user/prepa/x',
    '/user/prepa/3/',
    '/user/prepa/3/hors-ligne',
    '/user/prepa/3/4/autre',
    '/user/prepa/consultation/3',
    '/user/prepa/3/4?type=autre&item=12',
    '/user/prepa/3/4?type=course',
    '/user/prepa/3/4?item=12',
    '/user/prepa/3/4?type=course&item=12abc',
    '/user/prepa/12345678901',
    '/user/recherche?q=suite',
    '/user/recherche?q=suite&prepa=3&page=0',
    `/user/recherche?prepa=3&q=${'x'.repeat(101)}`,
    '/user/hors-ligne',
  ])
    t.equal(at(path), null, path);
});

t.test('a URL is marked for the network, and the mark is removed again', async (t) => {
  const url = new URL('/user/prepa/3/4?type=course&item=12#corrige', site);
  const network = new URL(throughNetwork(url), site);
  t.notOk(isByNetwork(url));
  t.ok(isByNetwork(network));
  t.equal(network.hash, '#corrige');
  t.equal(asAsked(network), '/user/prepa/3/4?type=course&item=12#corrige');
});
