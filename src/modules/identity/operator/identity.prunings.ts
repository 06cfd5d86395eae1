import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';
import { knownDays } from '../sign-in/known-device.repository.ts';

/** Of accounts: what has ended and opens nothing any more. */
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
  pruneRows('attempt_counts', 'compteurs de tentatives', {
    table: 'attempt_limit',
    key: 'key',
    // Milliseconds; null counts for ever.
    condition: 'expire < ?',
    values: (run) => [daysAgo(run, run.retention.attemptCounts).getTime()],
  }),
];
