import { formatDate } from '../../../shared/dates.ts';
import { roleNames } from '../../../shared/forms/administrator.ts';
import type { KeysRow } from '../accounts/administrator.repository.ts';

export type KeysState = 'valid' | 'used' | 'revoked' | 'expired';

/** Returns the state of a pair. 'used' takes precedence over 'revoked' and 'expired', since its registration remains. */
export function keysState({ usedAt, revokedAt, expiresAt }: KeysRow, now: Date): KeysState {
  if (usedAt) return 'used';
  if (revokedAt) return 'revoked';
  return expiresAt > now ? 'valid' : 'expired';
}

/** Returns the state in French, with its date. */
export function describeKeys(row: KeysRow, now: Date): string {
  return {
    valid: `Valable jusqu'au ${formatDate(row.expiresAt)}`,
    used: `Utilisée par ${row.usedBy ?? '-'} le ${formatDate(row.usedAt)}`,
    revoked: `Révoquée le ${formatDate(row.revokedAt)}`,
    expired: `Expirée le ${formatDate(row.expiresAt)}`,
  }[keysState(row, now)];
}

const badges: Record<KeysState, string> = { valid: 'success', used: 'info', revoked: 'error', expired: 'warning' };

/** Returns a pair as the keys page lists it. */
export function presentKeys(row: KeysRow, now: Date) {
  const state = keysState(row, now);
  return {
    id: row.id,
    role: roleNames[row.role],
    issued: `Émise le ${formatDate(row.createdAt)} ${row.issuedBy ? `par ${row.issuedBy}` : 'depuis le terminal'}`,
    state: describeKeys(row, now),
    badge: badges[state],
    revocable: state === 'valid',
  };
}
