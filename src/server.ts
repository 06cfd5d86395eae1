import { loadConfig } from './config.ts';
import { describeTlsFailure } from './platform/database/connections/tls-failure.ts';
import { isOneOfSeveral } from './platform/processes/first-process.ts';
import { ListenFailure } from './platform/processes/listen-failure.ts';
import { ConfigError } from './platform/settings/config.ts';

/** Told to go before there is anything to close. */
let close: () => unknown = () => process.exit(0);
// From the beginning: the first process of a container hears no signal that it has not asked for, and would serve on.
process.on('SIGINT', () => close());
process.on('SIGTERM', () => close());

/** Once: whoever is told to go twice goes as before. */
const onClosable = (end: () => Promise<void>): void => {
  close = () => {
    close = () => {};
    return end();
  };
};

// Listens and closes gracefully; every fault at start is one French line and exit 1.
try {
  const config = loadConfig();
  // Node would open its inspector, with all that the process knows, to whoever is on this machine.
  if (config.environment === 'production') process.on('SIGUSR1', () => {});
  // The first of several processes serves nothing, and needs nothing of what does.
  if (config.webProcesses > 1 && !isOneOfSeveral()) await (await import('./serve-from-several.ts')).serveFromSeveral(config, onClosable);
  else await (await import('./serve.ts')).serve(config, onClosable);
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof ListenFailure) return error.message;
  const tls = describeTlsFailure(error);
  if (tls !== null) return tls;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return `Dossier inaccessible : ${message}`;
  if (code === 'ECONNREFUSED') return 'La base de données est injoignable : vérifiez DATABASE_URL.';
  return `Le serveur n'a pas pu démarrer : ${message}`;
}
