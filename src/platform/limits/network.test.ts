import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../settings/project-root.ts';
import { networkOf } from './network.ts';

t.test('returns the network of an address', async (t) => {
  const networks: [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::FFFF:0A00:0000', '10.0.0.0'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['x'.repeat(400), 'x'.repeat(45)],
    ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
  ];
  for (const [address, network] of networks) t.equal(networkOf(address), network, address);
});

t.test('every limit counts by network, since one IPv6 client can use any number of addresses', async (t) => {
  const users = globSync('src/**/*.ts', { cwd: projectRoot })
    // forwarded.ts counts nothing: it checks whether a proxy is trusted.
    .filter((path) => !path.endsWith('.test.ts') && path !== 'src/platform/http/forwarded.ts')
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
    .filter(({ text }) => /\brequest\.(ip|ips)\b|remoteAddress/.test(text));
  t.ok(users.length >= 4, `${users.length} files use the address of a request`);
  for (const { path, text } of users) t.notMatch(text.replaceAll('networkOf(request.ip)', ''), /\brequest\.(ip|ips)\b|remoteAddress/, path);
});
