import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { CliError } from '../failure.ts';

const readyTimeoutMs = 60_000;
const stopTimeoutMs = 15_000;

/** Starts the built server on the restored data, reachable only from this machine. It calls no payment provider and sends no e-mail. */
export async function startDrillServer({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/server/server.js')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_URL_FILE: '',
      // Replicas have the site's database, not the restored one.
      DATABASE_REPLICA_URLS: '',
      DATABASE_REPLICA_URLS_FILE: '',
      DATA_DIR: dataDir,
      UPLOADS: 'folder',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      RECONCILE_PAYMENTS: 'off',
      PUBLISH_DRAFTS: 'off',
      SMTP_URL: '',
      SMTP_URL_FILE: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(late);
  };
  try {
    const origin = await listening(child);
    const { status } = await fetch(`${origin}/readyz`);
    if (status !== 200) throw new CliError(`Le serveur démarré sur la restauration n'est pas prêt (${status}).`);
    return { origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = '';
    const give = (reason: string) => reject(new CliError(`Le serveur n'a pas démarré sur la restauration : ${reason}`));
    const late = setTimeout(() => give(`pas de réponse en ${readyTimeoutMs / 1000} s`), readyTimeoutMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        // Keep reading the output beyond this limit: a full pipe would block the server.
        if (written.length < 1_000_000) written += chunk;
        const [, origin] = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(written) ?? [];
        if (!origin) return;
        clearTimeout(late);
        resolve(origin);
      });
    }
    child.once('close', () => {
      clearTimeout(late);
      give(written.trim().split('\n').at(-1) ?? 'terminé');
    });
  });
}
