import t from 'tap';
import { localPath, readSuite, signInAddress, withSuite } from './return-path.ts';

t.test('a return address is always a path of this site', async (t) => {
  for (const path of ['/user/dashboard', '/user/prepa/1/2?type=course&item=3#fin', '/admin/prepas?q=%2F%2Fx'])
    t.equal(readSuite(path), path);
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'evil.example',
    '',
    `/${'x'.repeat(500)}`,
    ['/user/dashboard'],
    undefined,
  ];
  for (const value of elsewhere) {
    t.equal(readSuite(value), null, JSON.stringify(value));
    t.equal(localPath(value), '/user/dashboard');
  }
  t.equal(signInAddress('//evil.example'), '/?connexion=1&suite=%2Fuser%2Fdashboard');
  t.equal(withSuite('/login?a=1', '/x?y&z'), '/login?a=1&suite=%2Fx%3Fy%26z', 'the path is encoded as one value');
});
