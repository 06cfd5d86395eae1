import { dayMs } from '../../../src/shared/dates.ts';
import type { Ledger, LedgerLine, Slug } from './ledger.ts';

/** Tables that an interleaving may write, ordered for deletion. */
const tables = ['audit_entry', 'notification', 'enrolment_extension', 'enrolment', 'payment_notification', 'payment_event', 'payment'];

/** The only learner and prepa of the interleavings. */
export const learner = { id: '00000000-0000-4000-8000-000000000001', username: 'candidat', email: 'candidat@example.com' };
export const prepa = { id: 1, nom: 'Préparation', prix: 15_000 };

/** Rows that exist before and after every interleaving. */
export const lastingRows = `
  insert into app_user (id, username, email, password_hash, created_at) values ('${learner.id}', '${learner.username}', '${learner.email}', 'unusable', now());
  insert into prepa (id, nom, description, prix, is_published, created_at, updated_at) values (${prepa.id}, '${prepa.nom}', 'Pour les concours.', ${prepa.prix}, true, now(), now());`;

/** Rows written by an interleaving have ids from this number on; initial rows have smaller ids. */
const firstNewId = 100;

/** Deletes the rows of the previous interleaving. The connection must have triggers disabled, because events are append-only. */
export const emptyTables = [
  ...tables.map((table) => `delete from ${table};`),
  ...tables.map((table) => `select setval('${table}_id_seq', ${firstNewId}, false);`),
].join('\n');

/** Deletes the same rows with TRUNCATE, which also frees their space on disk. Runs once per `clearEvery` interleavings. */
export const clearTables = `truncate ${tables.join(', ')};\n${emptyTables}`;

interface PaymentValues {
  provider?: Slug;
  status: 'created' | 'pending' | 'cancelled' | 'review' | 'succeeded';
  /** State at the provider; by default `paid` for the statuses `review` and `succeeded`, and `open` for the others. */
  there?: Partial<LedgerLine>;
  /** Time since the payment began, in ms. */
  age?: number;
  /** Refunded amount, in XAF. */
  refunded?: number;
  /** True for a refund that was made at the provider and that no operator has confirmed; false for a refund by an operator. */
  needsLook?: boolean;
}

/** Initial rows of an interleaving, as SQL, with a consistent payment history, so that judge.ts finds no fault in them. */
export class Beginning {
  readonly #now: Date;
  readonly #ledger: Ledger;
  readonly #statements: string[] = [];
  #payments = 0;
  #rows = 0;
  #enrolled: Date | null = null;

  constructor(now: Date, ledger: Ledger) {
    this.#now = now;
    this.#ledger = ledger;
  }

  /** Id of the newest extension; 0 without any. */
  latestExtension = 0;

  get sql(): string {
    return this.#statements.join('\n');
  }

  /** Adds an enrolment that ends in `endsInMs`, granted 30 days before its end. */
  enrolment(endsInMs: number, statut: 'active' | 'expired' | 'cancelled' = 'active'): void {
    const end = this.#at(endsInMs);
    const start = this.#at(endsInMs - 30 * dayMs);
    this.#enrol(start, end, statut);
    this.#extend({ days: 30, source: 'grant', before: null, after: end, at: start });
  }

  /** Adds a payment and returns its id and reference. */
  payment({ provider = 'zitopay', status, there = {}, age = 60_000, refunded = 0, needsLook = false }: PaymentValues): {
    id: number;
    reference: string;
  } {
    this.#payments += 1;
    const id = this.#payments;
    const reference = `${provider === 'zitopay' ? 'ZP' : 'NP'}-${id}`;
    const [at, settled] = [this.#at(-age), status === 'succeeded'];
    const paid = status === 'succeeded' || status === 'review';
    this.#ledger.lines.set(reference, { provider, amount: prepa.prix, state: paid ? 'paid' : 'open', returned: 0, ...there });
    this.#statements.push(
      `insert into payment (id, provider, reference, user_id, prepa_id, prepa_nom, amount, refunded_amount, needs_look, status, checks, next_check_at, created_at, updated_at, settled_at)
       values (${id}, '${provider}', '${reference}', '${learner.id}', ${prepa.id}, '${prepa.nom}', ${prepa.prix}, ${refunded}, ${needsLook}, '${status}', 1,
       ${paid ? 'null' : quoted(this.#now)}, ${quoted(at)}, ${quoted(at)}, ${settled ? quoted(at) : 'null'});`,
    );
    this.#event(id, 'created', { to: 'created', at });
    if (status !== 'created') this.#event(id, 'transition', { from: 'created', to: 'pending', at });
    const said = { cancelled: 'cancelled', review: 'mismatch', succeeded: 'succeeded' }[status as string];
    if (said !== undefined) {
      this.#event(id, 'verification', { at, detail: { kind: said, ...(settled && { amount: prepa.prix, currency: 'XAF' }) } });
      this.#event(id, 'transition', { from: 'pending', to: status, at });
    }
    if (needsLook) {
      this.#event(id, 'verification', { at, detail: { kind: 'partly_refunded', returned: refunded, amount: prepa.prix, currency: 'XAF' } });
      this.#event(id, 'refund', { at, returned: refunded });
    } else if (refunded > 0) {
      const byHand = { returned: refunded, detail: { reason: 'avant' }, operator: 'terminal' };
      this.#event(id, 'decision', { from: 'succeeded', to: 'succeeded', at, ...byHand });
    }
    if (settled) this.#openDays(id, at);
    return { id, reference };
  }

  /** Adds 30 days of access as a settlement does: they start at `at`, or at the current end of access if that is later. */
  #openDays(payment: number, at: Date): void {
    const before = this.#enrolled && this.#enrolled > at ? this.#enrolled : null;
    const after = new Date((before ?? at).getTime() + 30 * dayMs);
    if (this.#enrolled === null) this.#enrol(at, after, 'active');
    else this.#statements.push(`update enrolment set date_expiration = ${quoted(after)}, statut = 'active' where id = 1;`);
    this.#enrolled = after;
    this.#extend({ days: 30, source: 'payment', before, after, at, payment });
  }

  #enrol(start: Date, end: Date, statut: string): void {
    this.#enrolled = end;
    const announced = statut === 'expired' ? 0 : 'null';
    this.#statements.push(
      `insert into enrolment (id, user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration, announced_days)
       values (1, '${learner.id}', ${prepa.id}, '${prepa.nom}', '${statut}', ${quoted(start)}, ${quoted(end)}, ${announced});`,
    );
  }

  #extend(row: { days: number; source: string; before: Date | null; after: Date; at: Date; payment?: number }): void {
    const { days, source, before, after, at, payment = null } = row;
    this.latestExtension = this.#nextId();
    this.#statements.push(
      `insert into enrolment_extension (id, enrolment_id, payment_id, days, source, expires_before, expires_after, created_at)
       values (${this.latestExtension}, 1, ${payment}, ${days}, '${source}', ${before ? quoted(before) : 'null'}, ${quoted(after)}, ${quoted(at)});`,
    );
  }

  #event(payment: number, type: string, event: EventValues): void {
    const { from, to, at, detail, returned = null, operator } = event;
    this.#statements.push(
      `insert into payment_event (id, payment_id, type, actor, operator, from_status, to_status, returned, detail, at)
       values (${this.#nextId()}, ${payment}, '${type}', '${operator ? 'operator' : 'learner'}', ${text(operator)}, ${text(from)}, ${text(to)}, ${returned},
       ${detail ? `'${JSON.stringify(detail)}'` : 'null'}, ${quoted(at)});`,
    );
  }

  #nextId(): number {
    this.#rows += 1;
    return this.#rows;
  }

  #at = (ms: number): Date => new Date(this.#now.getTime() + ms);
}

interface EventValues {
  from?: string;
  to?: string;
  at: Date;
  detail?: object;
  returned?: number;
  operator?: string;
}

const quoted = (at: Date): string => `'${at.toISOString()}'`;
const text = (value: string | undefined): string => (value === undefined ? 'null' : `'${value}'`);
