import { allowErasing } from '../../../platform/database/append-only.ts';
import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';
import { knownDays } from '../sign-in/known-device.repository.ts';

const oldNetworks = 'network is not null and at < ?';
/** Audit entries from which one transaction removes the network. */
const batchSize = 1_000;

/** Removes networks from old audit entries. The entries themselves stay forever. */
const journalNetworks: Pruning = {
  name: 'journal_networks',
  label: "adresses de réseau d'anciennes entrées du journal",
  async count(run) {
    const [row] = await run.em.execute<{ count: number }[]>(`select count(*)::int as count from audit_entry where ${oldNetworks}`, [
      daysAgo(run, run.retention.journalNetworks),
    ]);
    return row?.count ?? 0;
  },
  async *remove(run) {
    let changed = batchSize;
    while (changed === batchSize) {
      changed = await run.batch(async (tx) => {
        await allowErasing(tx);
        const { affectedRows } = await tx.execute<{ affectedRows: number }>(
          `update audit_entry set network = null
           where id in (select id from audit_entry where ${oldNetworks} order by at limit ${batchSize} for update skip locked)`,
          [daysAgo(run, run.retention.journalNetworks)],
          'run',
        );
        return affectedRows;
      });
      yield changed;
    }
  },
};

/** Prunings of ended account data, such as expired sessions. */
export const identityPrunings: readonly Pruning[] = [
  pruneRows('sessions', 'sessions terminées de candidats', {
    table: 'session',
    key: 'id',
    condition: 'expires_at < ?',
    values: (run) => [daysAgo(run, run.retention.endedSessions)],
  }),
  pruneRows('administrator_sessions', "sessions terminées d'administrateurs", {
    table: 'administrator_session',
    key: 'id',
    condition: 'expires_at < ?',
    values: (run) => [daysAgo(run, run.retention.endedSessions)],
  }),
  pruneRows('known_devices', 'appareils oubliés', {
    table: 'known_device',
    key: 'id',
    condition: 'known_at < ?',
    values: (run) => [daysAgo(run, knownDays)],
  }),
  pruneRows('password_resets', 'liens de mot de passe oublié', {
    table: 'password_reset',
    key: 'id',
    condition: 'expires_at < ?',
    values: (run) => [daysAgo(run, run.retention.passwordResets)],
  }),
  pruneRows('administrator_resets', "clés pour un nouveau mot de passe d'administrateur", {
    table: 'administrator_reset',
    key: 'id',
    condition: 'expires_at < ?',
    values: (run) => [daysAgo(run, run.retention.passwordResets)],
  }),
  pruneRows('pending_sign_ins', "connexions d'administrateurs sans leur code", {
    table: 'pending_sign_in',
    key: 'id',
    condition: 'expires_at < ?',
    values: (run) => [run.now],
  }),
  journalNetworks,
  pruneRows('attempt_counts', 'compteurs de tentatives', {
    table: 'attempt_limit',
    key: 'key',
    // `expire` is in ms since 1970; rows with null never expire.
    condition: 'expire < ?',
    values: (run) => [daysAgo(run, run.retention.attemptCounts).getTime()],
  }),
];
