import type { Kernel } from './kernel.ts';
import { demoAccountsFault, findDemoAccounts } from './modules/identity/index.ts';

/** Pause before the database is checked again, in ms. */
const again = 5_000;

/**
 * Calls `refuse` with a French line if the production database contains demonstration accounts. An unreachable database does not stop the
 * start, since nobody can sign in without it either: the check is repeated until it succeeds.
 */
export async function refuseDemoAccounts(kernel: Kernel, refuse: (fault: string) => void): Promise<void> {
  if (kernel.config.environment !== 'production') return;
  const fault = await findDemoAccounts(kernel.fork()).then(demoAccountsFault, (error: unknown) => {
    kernel.log.warn({ err: error }, 'accounts of the demonstration not looked for yet');
    setTimeout(() => refuseDemoAccounts(kernel, refuse), again).unref();
    return null;
  });
  if (fault !== null) refuse(fault);
}
