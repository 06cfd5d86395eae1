import { formatDate } from '../../../shared/dates.ts';
import { roleNames } from '../../../shared/forms/administrator.ts';
import type { KeysRow } from '../accounts/administrator.repository.ts';

export type KeysState = 'valid' | 'used' | 'revoked' | 'expired';

/** What a pair can still do. Used comes before revoked and expired: whoever registered with it is there. */
export function keysState({ used_at, revoked_at, expires_at }: KeysRow, now: Date): KeysState {
  if (used_at) return 'used';
  if (revoked_at) return 'revoked';
  return expires_at > now ? 'valid' : 'expired';
}

/** The state in French, with its date. */
export function describeKeys(row: KeysRow, now: Date): string {
  return {
    valid: `Valable jusqu'au ${formatDate(row.expires_at)}`,
    used: `Utilisée par ${row.used_by ?? '-'} le ${formatDate(row.used_at)}`,
    revoked: `Révoquée le ${formatDate(row.revoked_at)}`,
    expired: `Expirée le ${formatDate(row.expires_at)}`,
  }[keysState(row, now)];
}

const badges: Record<KeysState, string> = { valid: 'success', used: 'info', revoked: 'error', expired: 'warning' };

/** A pair as the keys page lists it. */
export function presentKeys(row: KeysRow, now: Date) {
  const state = keysState(row, now);
  return {
    id: row.id,
    role: roleNames[row.role],
    issued: `Émise le ${formatDate(row.created_at)} ${row.issued_by ? `par ${row.issued_by}` : 'depuis le terminal'}`,
    state: describeKeys(row, now),
    badge: badges[state],
    revocable: state === 'valid',
  };
}
