import { lookup } from 'node:dns/promises';
import { isPrivateAddress } from '../../../src/platform/settings/production-settings.ts';
import { type Check, fault, good, type Verdict } from '../check.ts';

/** Checks that the providers' host names do not resolve to this machine or a private network. */
export const providerAddresses: Check = {
  name: 'Adresses des prestataires',
  inProduction: true,
  look: ({ kernel: { providers } }) => providersElsewhere(providers.list().flatMap((provider) => provider.addresses)),
};

type Resolve = (host: string) => Promise<{ address: string }[]>;

/** @param resolve looks up a host name; a host without an address is reported by the provider's own check */
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
