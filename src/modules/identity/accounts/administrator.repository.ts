import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { AdministratorRole } from '../../../shared/forms/administrator.ts';
import type { Administrator } from './administrator.entity.ts';

export type AdministratorRow = RowOf<Administrator, 'id' | 'username' | 'email' | 'role' | 'createdAt' | 'disabledAt'>;

export interface KeysRow {
  id: number;
  role: AdministratorRole;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  revokedAt: Date | null;
  /** Username; null when issued from the command line (`issuedBy`), or not used yet (`usedBy`). */
  issuedBy: string | null;
  usedBy: string | null;
}

/** Maximum number of administrators in a list. A school has a few dozen. */
export const maxAdministrators = 500;

const all = namedStatement<AdministratorRow>({
  name: 'identity.administrators',
  text: `select id, username, email, role, created_at, disabled_at from administrator order by disabled_at is not null, lower(username) limit ${maxAdministrators}`,
});

const keys = namedStatement<KeysRow>({
  name: 'identity.administration-keys',
  text: `select k.id, k.role, k.created_at, k.expires_at, k.used_at, k.revoked_at, i.username as issued_by, u.username as used_by
         from administration_keys k left join administrator i on i.id = k.issued_by_id left join administrator u on u.id = k.used_by_id
         order by (k.used_at is null and k.revoked_at is null and k.expires_at > $2) desc, k.id desc limit $1`,
});

export const listAdministrators = (em: EntityManager): Promise<AdministratorRow[]> => all(em, []);

/** Returns pairs of keys: first the valid ones, then the newest. */
export const listKeys = (em: EntityManager, now: Date, limit = 100): Promise<KeysRow[]> => keys(em, [limit, now]);
