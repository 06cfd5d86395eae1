/**
 * Runs a service that the site uses: `provider`, the payment provider's simulator with TLS under its real name, or `mail`, a mail server on
 * the same machine. Prints one line when ready, and ends on SIGTERM.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { Test } from 'tap';
import { buildSimulator } from '../../simulators/zitopay/app.ts';
import { openPostOffice } from '../../test/support/post-office.ts';
import { addresses, mailPort, providerName, sharedFolder } from './names.ts';

const part = process.argv[2];
console.log(`ready ${part === 'mail' ? await mail() : await provider()}`);
process.once('SIGTERM', () => process.exit(0));

async function mail(): Promise<string> {
  return (await openPostOffice({ teardown() {} } as unknown as Test, { port: mailPort })).url;
}

async function provider(): Promise<string> {
  const simulator = buildSimulator({});
  await simulator.ready();
  const certificate = { cert: readFileSync(join(sharedFolder, 'authority.pem')), key: readFileSync(join(sharedFolder, 'provider.key')) };
  const front = createServer(certificate, (request, response) => simulator.routing(request, response));
  await new Promise<void>((resolve) => front.listen(443, addresses[providerName], resolve));
  return `https://${providerName}`;
}
