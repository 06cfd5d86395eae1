import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startProcess } from './process.ts';

const folder = t.testdir({});
const server = join(folder, 'server.ts');
writeFileSync(
  server,
  `import { createServer } from 'node:http';
   const server = createServer((_request, response) => response.end('bonjour')).listen(0, '127.0.0.1', () => {
     console.log('listening on', (server.address() as { port: number }).port, process.env.GREETING, process.env.TEST_DATABASE_URL);
   });
   process.on('SIGTERM', () => { console.error('closing'); server.close(() => process.exit(7)); });`,
);
const crash = join(folder, 'crash.ts');
writeFileSync(crash, 'console.error("Le port 3000 est déjà utilisé."); process.exit(1);');

t.test('waits for a line, stops, reports how it ended', async (t) => {
  const started = await startProcess(t, server, { ready: /listening on (\d+)/, env: { GREETING: 'salut' } });
  t.match(started.output(), /salut undefined/, 'the process does not inherit the environment of the tests');
  t.equal(await (await fetch(`http://127.0.0.1:${started.ready?.[1]}`)).text(), 'bonjour');
  t.equal(await started.stop(), 7);
  t.match(started.output(), /closing/);
});

t.test('kill9 ends the process at once', async (t) => {
  const started = await startProcess(t, server, { ready: /listening on (\d+)/ });
  await started.kill9();
  t.equal(await started.ended, 'SIGKILL');
  t.notMatch(started.output(), /closing/);
});

t.test('shows the output of a process that ends before it is ready', async (t) => {
  await t.rejects(startProcess(t, crash, { url: 'http://127.0.0.1:9' }), { message: /ended \(1\) before it was ready:\nLe port 3000/ });
  const ended = await startProcess(t, crash);
  t.equal(await ended.ended, 1);
});
