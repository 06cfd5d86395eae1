import type { FastifyInstance } from 'fastify';
import type { SimulatorOptions } from './app.ts';

function describeFailure(error: unknown, port: string, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `le port ${port} est déjà pris sur ${host} : libérez-le ou choisissez-en un autre avec PORT.`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Serves a simulator on PORT and HOST, with LEDGER_FILE and CLOCK_SPEED, until SIGINT or SIGTERM.
 * Prints one line when it is ready. If it cannot start, prints one line and exits with 1.
 */
export async function serve(name: string, defaultPort: number, build: (options: SimulatorOptions) => FastifyInstance): Promise<void> {
  const { HOST = '127.0.0.1', LEDGER_FILE, CLOCK_SPEED = '1' } = process.env;
  const PORT = process.env.PORT ?? String(defaultPort);
  const fail = (reason: string) => {
    console.error(`${name} : ${reason}`);
    process.exitCode = 1;
  };
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) return fail(`PORT doit être un nombre de 0 à 65535 (reçu : ${PORT}).`);
  if (!(Number(CLOCK_SPEED) >= 1 && Number(CLOCK_SPEED) <= 100_000)) {
    return fail(`CLOCK_SPEED doit être un nombre de 1 à 100000 (reçu : ${CLOCK_SPEED}).`);
  }
  try {
    const app = build({ ledgerFile: LEDGER_FILE || undefined, speed: Number(CLOCK_SPEED), log: { level: 'warn' } });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        app.close().catch((error) => fail(describeFailure(error, PORT, HOST)));
      });
    }
    const address = await app.listen({ port: Number(PORT), host: HOST });
    console.log(`${name} prêt : ${address}`);
  } catch (error) {
    fail(describeFailure(error, PORT, HOST));
  }
}
