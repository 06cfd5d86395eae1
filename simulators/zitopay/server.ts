import { buildSimulator } from './app.ts';

const { PORT = '4010', HOST = '127.0.0.1', LEDGER_FILE } = process.env;

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `le port ${PORT} est déjà pris sur ${HOST} : libérez-le ou choisissez-en un autre avec PORT.`;
  return error instanceof Error ? error.message : String(error);
}

function fail(reason: string): void {
  console.error(`Simulateur ZitoPay : ${reason}`);
  process.exitCode = 1;
}

async function start(): Promise<void> {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) return fail(`PORT doit être un nombre de 0 à 65535 (reçu : ${PORT}).`);
  try {
    const app = buildSimulator({ ledgerFile: LEDGER_FILE || undefined, log: { level: 'warn' } });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        app.close().catch((error) => fail(describeFailure(error)));
      });
    }
    const address = await app.listen({ port: Number(PORT), host: HOST });
    console.log(`Simulateur ZitoPay prêt : ${address}`);
  } catch (error) {
    fail(describeFailure(error));
  }
}

await start();
