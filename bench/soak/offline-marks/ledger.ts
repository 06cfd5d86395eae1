import { sql } from '../../../test/support/sql.ts';

/** What a learner did with an item: the values of `offline_entry.type`. */
export type MarkKind = 'lu' | 'termine' | 'reussi' | 'a_revoir';

export interface Mark {
  learner: string;
  item: number;
  kind: MarkKind;
}

/** A waiting entry as a device stores it. */
export interface WaitingEntry {
  cle: string;
  type: MarkKind;
  item: number;
  le: number;
}

interface Row extends Mark {
  cle: string;
  at: number;
  isMarked: boolean;
}

interface Compared {
  /** Marks reported as kept to a page, and entries seen waiting on a device, that the server does not have. */
  lost: number;
  /** Entries that the server has more often than they were made. */
  double: number;
  /** Items whose state on the server differs from the one that the learner's entries give. */
  wrong: number;
  entries: number;
  practices: number;
  /** Descriptions of the first errors of each kind. */
  examples: string[];
}

/** The soak's own record of all marks. It is written from the results that pages got, independently of the application's data. */
export class Ledger {
  /** Number of marks reported as kept, and of marks with an unknown result, by learner, item and kind. */
  readonly #cells = new Map<string, { told: number; perhaps: number }>();
  /** Entries seen waiting on a device, by key. */
  readonly #seen = new Map<string, Mark & { le: number }>();
  /** Learner and item of marks that went directly to the server, which stores no key for them. */
  readonly #direct = new Set<string>();
  told = 0;
  perhaps = 0;

  #cell({ learner, item, kind }: Mark) {
    const name = `${learner} ${item} ${kind}`;
    const cell = this.#cells.get(name) ?? { told: 0, perhaps: 0 };
    this.#cells.set(name, cell);
    return cell;
  }

  /** Records that a page got the result 'kept'. */
  tell(mark: Mark): void {
    this.#cell(mark).told += 1;
    this.told += 1;
  }

  /** Records a mark that was begun and whose page got no result. */
  wonder(mark: Mark): void {
    this.#cell(mark).perhaps += 1;
    this.perhaps += 1;
  }

  /**
   * Records a mark that went past the worker, as when the worker is stopped during a request. The item's state then depends on more than
   * its entries.
   */
  bypass({ learner, item }: Mark): void {
    this.#direct.add(`${learner} ${item}`);
  }

  see(learner: string, entries: readonly WaitingEntry[]): void {
    for (const { cle, type, item, le } of entries) this.#seen.set(cle, { learner, item, kind: type, le });
  }

  get seen(): number {
    return this.#seen.size;
  }

  /** Compares the record with the database, once no entry is waiting. */
  async compare(databaseUrl: string): Promise<Compared> {
    const rows = await sql<Row>(
      databaseUrl,
      `select e.user_id as learner, e.item_id as item, e.type as kind, e.cle, (extract(epoch from e.at) * 1000)::float8 as at,
              i.kind = 'exercise' and i.corrige is not null as "isMarked"
       from offline_entry e join item i on i.id = e.item_id`,
    );
    const examples = new Map<string, string>();
    const example = (what: string, of: string) => examples.has(what) || examples.set(what, `${what}: ${of}`);
    let [lost, double, wrong] = [0, 0, 0];

    const counts = countBy(rows, ({ learner, item, kind }) => `${learner} ${item} ${kind}`);
    for (const name of new Set([...counts.keys(), ...this.#cells.keys()])) {
      const { told, perhaps } = this.#cells.get(name) ?? { told: 0, perhaps: 0 };
      const count = counts.get(name) ?? 0;
      if (count < told) example('lost', `${name}: told ${told} times, ${count} there`);
      if (count > told + perhaps) example('double', `${name}: told ${told} times, perhaps ${perhaps}, ${count} there`);
      lost += Math.max(0, told - count);
      double += Math.max(0, count - told - perhaps);
    }
    const byKey = new Map(rows.map((row) => [row.cle, row]));
    for (const [cle, { learner, item, kind, le }] of this.#seen) {
      const row = byKey.get(cle);
      if (row?.learner === learner && row.item === item && row.kind === kind && row.at === le) continue;
      example('lost', `entry ${cle}: ${kind} ${item} at ${le}, there ${row ? `${row.kind} ${row.item} at ${row.at}` : 'not at all'}`);
      lost += 1;
    }

    const made = await madeOf(databaseUrl);
    const replayed = new Map([...groupBy(rows, ({ learner, item }) => `${learner} ${item}`)].map(([name, own]) => [name, replay(own)]));
    for (const name of new Set([...made.keys(), ...replayed.keys()])) {
      const [there, meant] = [made.get(name), replayed.get(name)];
      if (there === meant || this.#direct.has(name)) continue;
      example('wrong', `${name}: ${there ?? 'nothing'}, but its entries say ${meant ?? 'nothing'}`);
      wrong += 1;
    }
    const [{ practices } = { practices: 0 }] = await sql<{ practices: number }>(
      databaseUrl,
      'select coalesce(sum(times), 0)::int as practices from practice',
    );
    return { lost, double, wrong, entries: rows.length, practices, examples: [...examples.values()] };
  }
}

/** Returns the state that one learner's entries about one item give, by the rules of docs/offline.md. */
function replay(rows: readonly Row[]): string {
  const inTime = rows.toSorted((one, other) => one.at - other.at);
  const verdicts = inTime.filter(({ kind }) => kind === 'reussi' || kind === 'a_revoir');
  const ends = inTime.filter(({ kind, isMarked }) => kind !== 'lu' && !(kind === 'termine' && isMarked));
  const last = verdicts.at(-1)?.at;
  const verdict = verdicts.some(({ at, kind }) => at === last && kind === 'a_revoir') ? 'a_revoir' : 'reussi';
  const times = verdicts.filter(({ at }, index) => index === 0 || at - (verdicts[index - 1]?.at ?? 0) >= 60_000).length;
  const practised = last === undefined ? 'not practised' : `${verdict} at ${last}, ${times} times`;
  return `opened ${inTime.at(-1)?.at}, finished ${ends[0]?.at ?? 'not'}, ${practised}`;
}

/** Returns the states in the database, in the format of `replay`. */
async function madeOf(databaseUrl: string): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; opened: number; finished: number | null; verdict: string | null; marked: number; times: number }>(
    databaseUrl,
    `select coalesce(r.user_id, p.user_id) || ' ' || coalesce(r.item_id, p.item_id) as name, (extract(epoch from r.read_at) * 1000)::float8 as opened,
            (extract(epoch from r.finished_at) * 1000)::float8 as finished, p.verdict, (extract(epoch from p.marked_at) * 1000)::float8 as marked, p.times
     from item_reading r full join practice p on p.user_id = r.user_id and p.item_id = r.item_id`,
  );
  return new Map(
    rows.map(({ name, opened, finished, verdict, marked, times }) => [
      name,
      `opened ${opened}, finished ${finished ?? 'not'}, ${verdict ? `${verdict} at ${marked}, ${times} times` : 'not practised'}`,
    ]),
  );
}

function groupBy<Value>(values: readonly Value[], nameOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(nameOf(value), [...(groups.get(nameOf(value)) ?? []), value]);
  return groups;
}

const countBy = <Value>(values: readonly Value[], nameOf: (value: Value) => string): Map<string, number> =>
  new Map([...groupBy(values, nameOf)].map(([name, own]) => [name, own.length]));
