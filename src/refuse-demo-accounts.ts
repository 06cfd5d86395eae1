import type { Kernel } from './kernel.ts';
import { demoAccountsFault, findDemoAccounts } from './modules/identity/index.ts';

/** Until the database is asked again, in ms. */
const again = 5_000;

/**
 * Production serves nobody while its database holds accounts of the demonstration: `refuse` gets a French line. A database that is away does not keep the
 * server from starting, since nobody signs in without it either: it is asked until it answers.
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
