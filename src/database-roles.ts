import { quietPermission, quietRoles, quietStatements } from './platform/database/connections/quiet-log.ts';
import { createRole, grantRights, type Rights, rightsStatements, roleOf } from './platform/database/roles.ts';
import { scramVerifier } from './platform/database/scram.ts';
import type { Config } from './platform/settings/config.ts';
import { passwordOf } from './platform/settings/database-address.ts';

const read = 'select';
const write = 'select, insert';
const change = 'select, insert, update';
const remove = 'select, insert, update, delete';

/** Kept by triggers that do their work as the owner (decision 069), or by the migrations themselves. */
const keptByOthers = {
  migration: read,
  payment_day_total: read,
  payment_prepa_total: read,
  item_tally: read,
  discipline_progress: read,
  catalogue_revision: read,
};

/** People and money: what happened is not undone by taking a row away. */
const neverRemoved = {
  app_user: change,
  administrator: change,
  administration_keys: change,
  payment: change,
  enrolment: change,
};

/**
 * What each role may do, table by table; docs/database-roles.md shows the same. A table that is not named is an ordinary one.
 * The third role, of migrations and restorations, owns the tables.
 */
export const databaseRights = {
  /** The server. */
  web: {
    ordinary: remove,
    tables: {
      ...keptByOthers,
      ...neverRemoved,
      // Append-only: an erasure changes their words, which only a command does.
      payment_event: write,
      enrolment_extension: write,
      audit_entry: write,
      // Pruned by a command alone.
      item_version: write,
      payment_notification: change,
      reconciliation_pass: change,
      // Commands run the timers' tasks.
      task_run: read,
      // What operators say, and what is noticed for them.
      site_state: change,
    },
  },
  /** `prepa`, but for what the owner does. */
  commands: {
    ordinary: remove,
    tables: {
      ...keptByOthers,
      ...neverRemoved,
      payment_event: change,
      enrolment_extension: change,
      audit_entry: change,
      reconciliation_pass: change,
    },
  },
} as const satisfies Record<string, Rights>;

interface NamedRole {
  role: string;
  /** Its address, with its password. */
  url: string;
  rights: Rights;
}

/** The roles that the settings name beside the owner; none where one role does everything. */
export function namedRoles({ databaseUrl, commandsDatabaseUrl }: Config, ownerUrl: string): NamedRole[] {
  const urls = { web: databaseUrl, commands: commandsDatabaseUrl };
  const named = (['web', 'commands'] as const).flatMap((work) => {
    const url = urls[work];
    const role = url && roleOf(url);
    return url && role && role !== roleOf(ownerUrl) ? [{ role, url, rights: databaseRights[work] }] : [];
  });
  // One role for the server and the commands has the rights of both: the commands'.
  return named.filter(({ role }, index) => !named.slice(index + 1).some((other) => other.role === role));
}

/**
 * Gives the roles that the settings name, and that are there, their rights on what a migration or a restoration has made, and with the owner a quiet log.
 * @returns their names, and where the owner may not give a quiet log, the statement by which a superuser lets it; null otherwise
 */
export async function grantToNamedRoles(config: Config, ownerUrl: string): Promise<{ roles: string[]; logPermission: string | null }> {
  const named = namedRoles(config, ownerUrl);
  if (named.length === 0) return { roles: [], logPermission: null };
  const roles = await grantRights(ownerUrl, named);
  const loud = await quietRoles(ownerUrl, roles);
  return { roles, logPermission: loud.length === 0 ? null : quietPermission(roleOf(ownerUrl) ?? '') };
}

/** Makes the roles that the settings name, with the passwords of their addresses, where they are absent. Answers the names of those made. */
export async function createNamedRoles(config: Config, ownerUrl: string): Promise<string[]> {
  const made: string[] = [];
  for (const { role, url } of namedRoles(config, ownerUrl)) {
    const password = passwordOf(url);
    if (await createRole(ownerUrl, role, password === null ? null : scramVerifier(password))) made.push(role);
  }
  return made;
}

/** The statements that `grantToNamedRoles` runs, for whoever wants to read or run them. */
export async function namedRolesStatements(config: Config, ownerUrl: string): Promise<string[]> {
  const roles = namedRoles(config, ownerUrl);
  const statements = await Promise.all(roles.map(({ role, rights }) => rightsStatements(ownerUrl, role, rights)));
  const quiet = [roleOf(ownerUrl), ...roles.map(({ role }) => role)].flatMap((role) => (role ? quietStatements(role) : []));
  return [...new Set(statements.flat()), ...quiet];
}
