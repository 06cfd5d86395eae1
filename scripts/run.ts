/**
 * Runs the demonstration with one command: builds, opens and fills the database, starts the payment simulators and the server, and stops
 * all of them on Ctrl-C. Messages are in French, one line per error.
 */
import { loadConfig } from '../src/config.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { ensureBuilt } from './build.ts';
import { openDemo } from './serving/demo.ts';
import { siteAddress, sitePort } from './serving/ports.ts';
import { startService, waitUntilReady } from './serving/services.ts';
import { firstToEnd, supervise } from './serving/supervisor.ts';

/** Same allocator settings as in the release image: memory used to decode a picture is returned to the system. */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

await supervise(async (started) => {
  process.chdir(projectRoot);
  const config = loadConfig();
  if (config.environment === 'production') {
    throw new Error('make run sert la démonstration : en production, lancez prepa db migrate puis node dist/server/server.js.');
  }
  const port = await sitePort(config.host, config.port);
  build();

  const local = siteAddress(config.host, port);
  const { env, accounts } = await openDemo(config, 'dist/cli/main.js', local, started);
  started.push(startService('Le serveur', 'dist/server/server.js', { ...allocator, ...env, PORT: String(port) }));
  await Promise.race([waitUntilReady(`${local}/readyz`), firstToEnd(started)]);
  console.log(`\nLe site est prêt : ${config.publicUrl ?? local}\n\n${accounts}\n\nCtrl-C arrête tout.`);
});

function build(): void {
  try {
    ensureBuilt(() => console.log('Construction...'));
  } catch (cause) {
    throw new Error(`La construction a échoué. ${(cause as Error).message}`, { cause });
  }
}
