import { quietPermission, quietRoles, quietStatements } from './platform/database/connections/quiet-log.ts';
import { createRole, grantRights, type Rights, rightsStatements, roleOf } from './platform/database/roles.ts';
import { scramVerifier } from './platform/database/scram.ts';
import type { Config } from './platform/settings/config.ts';
import { passwordOf } from './platform/settings/database-address.ts';

const read = 'select';
const write = 'select, insert';
const change = 'select, insert, update';
const remove = 'select, insert, update, delete';

/** Tables written by triggers that run as the owner (decision 069), or by migrations. */
const keptByOthers = {
  migration: read,
  payment_day_total: read,
  payment_prepa_total: read,
  item_tally: read,
  discipline_progress: read,
  catalogue_revision: read,
  question_tally: read,
  choice_tally: read,
};

/** People and money: rows are never deleted. */
const neverRemoved = {
  app_user: change,
  administrator: change,
  administration_keys: change,
  payment: change,
  enrolment: change,
};

/**
 * Rights of each role by table; docs/database-roles.md lists the same. Tables that are not named have the `ordinary` rights.
 * The third role, for migrations and restores, owns the tables.
 */
export const databaseRights = {
  web: {
    ordinary: remove,
    tables: {
      ...keptByOthers,
      ...neverRemoved,
      // Append-only: only an erasure changes text columns, and only a command does that.
      payment_event: write,
      enrolment_extension: write,
      audit_entry: write,
      // Removed only with the learner or the item.
      practice_mark: write,
      answer: write,
      question_state: change,
      series_attempt: change,
      study_plan: change,
      daily_session: change,
      concours_outcome: change,
      // Append-only; batches are pruned by a command.
      exam_correction: write,
      exam_batch: write,
      exam_sitting: change,
      exam_self_mark: change,
      // Written by a trigger that runs as the owner.
      study_day: read,
      // A question that a text no longer has keeps its row.
      question: change,
      // Pruned only by a command.
      item_version: write,
      payment_notification: change,
      reconciliation_pass: change,
      // Timer tasks are run by commands.
      task_run: read,
      // State set by operators, or recorded for them.
      site_state: change,
    },
  },
  /** Role of the `prepa` commands, except those that need the owner. */
  commands: {
    ordinary: remove,
    tables: {
      ...keptByOthers,
      ...neverRemoved,
      payment_event: change,
      enrolment_extension: change,
      audit_entry: change,
      reconciliation_pass: change,
      exam_correction: write,
    },
  },
} as const satisfies Record<string, Rights>;

interface NamedRole {
  role: string;
  /** The role's database address, with its password. */
  url: string;
  rights: Rights;
}

/** Returns the roles in the settings other than the owner; none if one role does everything. */
export function namedRoles({ databaseUrl, commandsDatabaseUrl }: Config, ownerUrl: string): NamedRole[] {
  const urls = { web: databaseUrl, commands: commandsDatabaseUrl };
  const named = (['web', 'commands'] as const).flatMap((work) => {
    const url = urls[work];
    const role = url && roleOf(url);
    return url && role && role !== roleOf(ownerUrl) ? [{ role, url, rights: databaseRights[work] }] : [];
  });
  // If both use one role, it gets the later rights, the commands'.
  return named.filter(({ role }, index) => !named.slice(index + 1).some((other) => other.role === role));
}

/**
 * Grants the existing roles of the settings their rights, after a migration or a restore, and gives them and the owner the quiet-log
 * settings.
 * @returns the roles; and, if the owner may not set the log settings, the statement by which a superuser permits it, else null
 */
export async function grantToNamedRoles(config: Config, ownerUrl: string): Promise<{ roles: string[]; logPermission: string | null }> {
  const named = namedRoles(config, ownerUrl);
  if (named.length === 0) return { roles: [], logPermission: null };
  const roles = await grantRights(ownerUrl, named);
  const loud = await quietRoles(ownerUrl, roles);
  return { roles, logPermission: loud.length === 0 ? null : quietPermission(roleOf(ownerUrl) ?? '') };
}

/** Creates the missing roles of the settings, with the passwords in their addresses. Returns the names of the created ones. */
export async function createNamedRoles(config: Config, ownerUrl: string): Promise<string[]> {
  const made: string[] = [];
  for (const { role, url } of namedRoles(config, ownerUrl)) {
    const password = passwordOf(url);
    if (await createRole(ownerUrl, role, password === null ? null : scramVerifier(password))) made.push(role);
  }
  return made;
}

/** Returns the statements that `grantToNamedRoles` runs, for operators who read or run them by hand. */
export async function namedRolesStatements(config: Config, ownerUrl: string): Promise<string[]> {
  const roles = namedRoles(config, ownerUrl);
  const statements = await Promise.all(roles.map(({ role, rights }) => rightsStatements(ownerUrl, role, rights)));
  const quiet = [roleOf(ownerUrl), ...roles.map(({ role }) => role)].flatMap((role) => (role ? quietStatements(role) : []));
  return [...new Set(statements.flat()), ...quiet];
}
