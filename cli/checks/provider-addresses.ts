import { lookup } from 'node:dns/promises';
import { isPrivateAddress } from '../../src/platform/settings/production-settings.ts';
import { type Check, fault, good, type Verdict } from './check.ts';

/** Names of providers that lead back here. */
export const providerAddresses: Check = {
  name: 'Adresses des prestataires',
  inProduction: true,
  look: ({ kernel: { providers } }) => providersElsewhere(providers.list().flatMap((provider) => provider.addresses)),
};

type Resolve = (host: string) => Promise<{ address: string }[]>;

/** @param resolve looks a name up; one that has no address is reported by the check of its provider */
export async function providersElsewhere(
  addresses: readonly string[],
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<Verdict> {
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const found = await Promise.all(hosts.map(async (host) => ({ host, at: await resolve(host).catch(() => []) })));
  const faults = found.flatMap(({ host, at }) =>
    at
      .filter(({ address }) => isPrivateAddress(address))
      .map(({ address }) => `${host} mène à ${address}, cette machine ou un réseau privé`),
  );
  return faults.length === 0 ? good('aucune ne mène à cette machine') : fault(faults.join(' ; '));
}
