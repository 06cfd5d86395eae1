import { lookup } from 'node:dns/promises';
import type { Kernel } from '../../src/kernel.ts';
import { demoAccountsFault, findDemoAccounts } from '../../src/modules/identity/index.ts';
import { ownsTables } from '../../src/platform/database/roles.ts';
import { ConfigError } from '../../src/platform/settings/config.ts';
import { isPrivateAddress } from '../../src/platform/settings/production-settings.ts';
import { explain } from '../failure.ts';
import { loadCommandConfig } from '../settings.ts';

interface Check {
  name: string;
  ok: boolean;
  /** Nothing is wrong, and something could be better. */
  warning?: true;
  detail: string;
}

/** The settings, one line a fault: nothing else can be looked at with one. */
export function settingsChecks(): Check[] {
  const name = 'Réglages';
  try {
    loadCommandConfig();
    return [{ name, ok: true, detail: 'lus sans faute' }];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((detail) => ({ name, ok: false, detail }));
  }
}

/** What only production may not have, beyond what its settings say: accounts of the demonstration, and names of providers that lead back here. */
export async function productionChecks({ config, providers, fork }: Kernel): Promise<Check[]> {
  if (config.environment !== 'production') return [];
  const addresses = providers.list().flatMap((provider) => provider.addresses);
  return [await demoAccounts(fork), await providersElsewhere(addresses), await serverRole(config.databaseUrl ?? '')];
}

/** A warning: the site works, and whoever breaks into the server's process may do what the owner may. */
async function serverRole(url: string): Promise<Check> {
  const name = 'Rôle du serveur';
  try {
    if (!(await ownsTables(url))) return { name, ok: true, detail: 'ne possède pas les tables' };
    const detail =
      'DATABASE_URL est au propriétaire des tables : donnez au serveur un rôle à lui avec « prepa db roles » (docs/database-roles.md)';
    return { name, ok: true, warning: true, detail };
  } catch (error) {
    return { name, ok: false, detail: explain(error) };
  }
}

async function demoAccounts(fork: Kernel['fork']): Promise<Check> {
  const name = 'Comptes de démonstration';
  try {
    const fault = demoAccountsFault(await findDemoAccounts(fork()));
    return { name, ok: fault === null, detail: fault ?? 'aucun' };
  } catch (error) {
    return { name, ok: false, detail: explain(error) };
  }
}

type Resolve = (host: string) => Promise<{ address: string }[]>;

/** @param resolve looks a name up; one that has no address is reported by the check of its provider */
export async function providersElsewhere(
  addresses: readonly string[],
  resolve: Resolve = (host) => lookup(host, { all: true }),
): Promise<Check> {
  const name = 'Adresses des prestataires';
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const found = await Promise.all(hosts.map(async (host) => ({ host, at: await resolve(host).catch(() => []) })));
  const faults = found.flatMap(({ host, at }) =>
    at
      .filter(({ address }) => isPrivateAddress(address))
      .map(({ address }) => `${host} mène à ${address}, cette machine ou un réseau privé`),
  );
  return { name, ok: faults.length === 0, detail: faults.join(' ; ') || 'aucune ne mène à cette machine' };
}
