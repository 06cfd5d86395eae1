import { loadConfig } from './config.ts';
import { describeTlsFailure } from './platform/database/connections/tls-failure.ts';
import { isOneOfSeveral } from './platform/processes/first-process.ts';
import { ListenFailure } from './platform/processes/listen-failure.ts';
import { ConfigError } from './platform/settings/config.ts';

/** Called by signals; ends the process at once until the server has started. */
let close: () => unknown = () => process.exit(0);
// Registered first: the first process of a container (pid 1) ignores signals without a handler.
process.on('SIGINT', () => close());
process.on('SIGTERM', () => close());

/** Sets the function that closes the server. It runs once: later signals are ignored. */
const onClosable = (end: () => Promise<void>): void => {
  close = () => {
    close = () => {};
    return end();
  };
};

// A fault at start is one French line and exit code 1.
try {
  const config = loadConfig();
  // By default Node opens its inspector at SIGUSR1, which would expose the process's memory to other users of this machine.
  if (config.environment === 'production') process.on('SIGUSR1', () => {});
  // The first of several processes serves no requests, so it does not load the application.
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
