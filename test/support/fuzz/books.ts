import type { Client } from '../sql.ts';
import { sql } from '../sql.ts';
import type { Person } from './people.ts';
import type { Identity } from './viewers.ts';

// Checks the database with SQL that is independent of the application: whether an account may change a row, and invariants of all rows.

/** Tables written by requests of every role: counters, compressed texts, reading marks, provider data, and their journals. */
const everybodys = new Set([
  'attempt_limit',
  'audit_entry',
  'catalogue_revision',
  'discipline_progress',
  'item_reading',
  'item_tally',
  'known_device',
  'migration',
  'offline_piece',
  'payment_day_total',
  'payment_event',
  'payment_notification',
  'payment_prepa_total',
  'password_reset',
  'reconciliation_pass',
]);
/** Tables that only super administrators may change. */
const superAdministratorsOnly = new Set([
  'administration_keys',
  'administrator',
  'app_user',
  'enrolment',
  'enrolment_extension',
  'payment',
]);
/** Columns that any request may change. Any notification makes the server verify the payment. */
const anybodysColumns: Record<string, ReadonlySet<string>> = {
  payment: new Set(['checks', 'next_check_at', 'updated_at', 'start_unanswered', 'needs_look']),
  session: new Set(['expires_at']),
  // The size in bytes is read from the image file when it is first requested.
  content_image: new Set(['octets']),
  // Anyone who knows the keys may use them; `brokenRules` checks who has become an administrator.
  administration_keys: new Set(['used_at', 'used_by_id']),
};
/** Tables whose rows are restored between rounds. */
const accounts = ['app_user', 'administrator'];
const restored = [...accounts, 'session', 'administrator_session'];

/** Returns SQL that renames every account that now uses the original name or e-mail address of another account. */
const freeing = (table: string): string =>
  `update public.${table} now set username = 'x' || left(md5(now.id::text), 20), email = md5(now.id::text) || '@gmail.com' from kept.${table} was
   where was.id <> now.id and (lower(was.username) = lower(now.username) or lower(was.email) = lower(now.email))`;

/** Copies the planted rows to the schema `kept`, and adds triggers that record every change. */
export async function keepBooks(url: string): Promise<void> {
  await sql(url, 'create schema kept');
  for (const table of [...restored, 'payment', 'enrolment', 'audit_entry'])
    await sql(url, `create table kept.${table} as table public.${table}`);
  await sql(url, 'create unlogged table kept.change (id bigserial, place text, op text, was jsonb, is_now jsonb)');
  await sql(
    url,
    `create function kept.tell() returns trigger language plpgsql security definer as $$ begin
       insert into kept.change (place, op, was, is_now) values (tg_table_name, tg_op,
         case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
       return null; end $$`,
  );
  const tables = await sql<{ name: string }>(url, `select tablename as name from pg_tables where schemaname = 'public'`);
  for (const { name } of tables.filter((table) => !everybodys.has(table.name)))
    await sql(url, `create trigger zz_tell after insert or update or delete on public.${name} for each row execute function kept.tell()`);
}

export interface Change {
  place: string;
  op: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Id of the learner or administrator who owns the row; null for rows of the site. */
  owner: string | null;
  /** Changed columns of an update. */
  columns: string[];
  row: Record<string, unknown>;
  /** The row after an update. */
  now: Record<string, unknown> | null;
}

type Row = Record<string, unknown>;

export class Books {
  readonly #client: Client;
  readonly #people: readonly Person[];
  #restore: string[] = [];

  constructor(client: Client, people: readonly Person[]) {
    this.#client = client;
    this.#people = people;
  }

  /** Returns all changes since the last call. */
  async changes(): Promise<Change[]> {
    // An offline copy belongs to its device's learner.
    const { rows } = await this.#client.query<{
      place: string;
      op: Change['op'];
      was: Row | null;
      is_now: Row | null;
      keeper: string | null;
    }>(
      `with gone as (delete from kept.change returning *)
       select place, op, was, is_now, d.user_id as keeper from gone g
              left join offline_device d on place = 'offline_copy' and d.id = (coalesce(was, is_now)->>'device_id')::int order by g.id`,
    );
    return rows.map(({ place, op, was, is_now: now, keeper }) => {
      const row = was ?? now ?? {};
      const columns = was && now ? Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(was[name])) : [];
      const owner =
        row.user_id ?? row.administrator_id ?? keeper ?? (place === 'app_user' || place === 'administrator' ? row.id : null) ?? null;
      return { place, op, columns, row, now, owner: owner === null ? null : String(owner) };
    });
  }

  /** Returns the reason why account `who` must not make this change; null when the change is allowed. */
  objection(change: Change, who: Identity): string | null {
    const { place, op, columns, owner, row, now } = change;
    if (op === 'UPDATE' && columns.every((name) => anybodysColumns[place]?.has(name))) return null;
    if (who.kinds.has('superAdmin')) return null;
    if (who.kinds.has('admin') && !superAdministratorsOnly.has(place)) return null;
    // When an administrator deletes a prepa, its enrolments and payments keep its name, and their prepa_id becomes null.
    if (who.kinds.has('admin') && columns.join() === 'prepa_id' && now?.prepa_id === null) return null;
    if (owner !== null && who.ids.has(owner)) return null;
    // Accounts registered during the run may change their own rows.
    if (owner !== null && !this.#people.some(({ id }) => id === owner)) return null;
    // Secrets are created by the first request that needs them.
    if (place === 'site_secret' && op === 'INSERT') return null;
    // A request with a device's secret may move the device to another account, or remove its copies.
    if ((place === 'offline_device' || place === 'offline_copy') && op === 'DELETE') return null;
    // Anyone who knows a password may sign in; any request may delete expired sessions.
    const isSession = place === 'session' || place === 'administrator_session';
    if (isSession && op === 'INSERT') return null;
    if (isSession && op === 'DELETE' && new Date(String(row.expires_at)) < new Date()) return null;
    const whose = this.#people.find(({ id }) => id === owner)?.name ?? 'the site';
    return `${op} of ${place} (${whose})${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`;
  }

  /** Returns the broken invariants, one line per rule. */
  async brokenRules(): Promise<string[]> {
    const { rows } = await this.#client.query<{ rule: string; row: unknown }>(allRules);
    return [...Map.groupBy(rows, ({ rule }) => rule)].map(
      ([rule, found]) => `${rule}: ${JSON.stringify(found.slice(0, 3).map(({ row }) => row))}`,
    );
  }

  /** Reopens closed sessions and restores names, passwords and roles. */
  async restore(): Promise<void> {
    if (this.#restore.length === 0) {
      for (const table of accounts) this.#restore.push(freeing(table));
      for (const table of restored) this.#restore.push(await this.#restoring(table));
    }
    for (const text of this.#restore) await this.#client.query(text);
    await this.changes();
  }

  async #restoring(table: string): Promise<string> {
    const { rows } = await this.#client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const names = rows.map(({ name }) => `"${name}"`);
    return `insert into public.${table} (${names.join(', ')}) select ${names.join(', ')} from kept.${table}
      on conflict (id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  }
}

/** Invariants. No provider is reachable here, so no payment can succeed, and only super administrators can grant days. */
const rules: Record<string, string> = {
  'a payment succeeded without its provider': `select p.id, p.status from payment p left join kept.payment k on k.id = p.id
    where p.status in ('succeeded', 'refunded') and coalesce(k.status, '') not in ('succeeded', 'refunded', 'review')
      and not exists (select from payment_event e where e.payment_id = p.id and e.operator is not null)`,
  'money was refunded without an operator': `select p.id, p.refunded_amount from payment p left join kept.payment k on k.id = p.id
    where p.refunded_amount <> coalesce(k.refunded_amount, 0)
      and not exists (select from payment_event e where e.payment_id = p.id and e.operator is not null and e.returned is not null)`,
  'a payment changed its amount or its payer': `select p.id from payment p join kept.payment k on k.id = p.id
    where (p.amount, p.user_id, p.reference) is distinct from (k.amount, k.user_id, k.reference)`,
  'an enrolment without a payment or an operator': `select e.id from enrolment e left join kept.enrolment k on k.id = e.id
    where (k.id is null or e.date_expiration > k.date_expiration) and not exists (
      select from enrolment_extension x left join payment p on p.id = x.payment_id
      where x.enrolment_id = e.id and (x.operator is not null or p.status in ('succeeded', 'refunded')))`,
  'another rank': `select a.id, a.role from administrator a join kept.administrator k on k.id = a.id where a.role <> k.role`,
  'an administrator without keys': `select a.id, a.role from administrator a left join kept.administrator k on k.id = a.id
    where k.id is null and not exists (select from administration_keys g where g.used_by_id = a.id and g.role = a.role)`,
  'the journal lost an entry': 'select k.id from kept.audit_entry k where not exists (select from audit_entry a where a.id = k.id)',
};

const allRules = Object.entries(rules)
  .map(([rule, text]) => `select '${rule}' as rule, to_jsonb(broken) as row from (${text}) broken`)
  .join(' union all ');
