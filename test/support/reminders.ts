import { announceEnds, expireEnrolments, grantEnrolment } from '../../src/modules/enrolment/index.ts';
import { dayMs } from '../../src/shared/dates.ts';
import type { TestApp } from './app.ts';
import { createDiscipline, createItem, createPrepa } from './factories.ts';
import { seeded } from './random.ts';
import { sql } from './sql.ts';

/** A period of an enrolment with the same end: `end`, and the instants between which it applies. */
interface Period {
  end: number;
  from: number;
  until: number;
}
interface Enrolled {
  enrolmentId: number;
  email: string;
  token: string;
  periods: Period[];
}

export interface SimulationOptions {
  learners: number;
  days: number;
  seed: number;
  /** Number of enrolments that one transaction announces. */
  size: number;
  /** Runs the command as a separate process and kills it after a time derived from the number (0 to less than 1). */
  killedCommand?: (random: number) => Promise<void>;
}

/** Faults of the simulation; empty or 0 when there are none. */
export interface SimulationResult {
  /** Reminders that never came, and reminders for ends that did not exist. */
  missing: string[];
  unexpected: string[];
  /** Number of announcements beyond the number of reminders. */
  twice: number;
  /** Requests for a paid lesson with an unexpected status. */
  wrongReads: string[];
  reminders: number;
  reads: number;
  runs: { single: number; double: number; killed: number };
}

/**
 * Runs `prepa enrolments expire` once a day with a simulated clock; at random two runs at once, or a run that is killed between two
 * transactions and restarted. Learners renew at random. The expected reminders are computed in this file from the ends of the enrolments
 * and the times of the runs.
 */
export async function simulateReminders(
  home: TestApp,
  { learners, days, seed, size, killedCommand }: SimulationOptions,
): Promise<SimulationResult> {
  const random = seeded(seed);
  const any = (count: number) => Math.floor(random() * count);
  const start = home.clock.now().getTime();
  const prepa = await createPrepa(home);
  const { id: disciplineId } = await createDiscipline(home, prepa.id);
  await createItem(home, disciplineId);
  const paid = await createItem(home, disciplineId, { numeroPage: 2 });
  const ends = Array.from({ length: learners }, () => start + Math.ceil(random() * days * dayMs));
  const enrolled = await enrol(home, prepa, ends);
  const result: SimulationResult = {
    missing: [],
    unexpected: [],
    twice: 0,
    wrongReads: [],
    reminders: 0,
    reads: 0,
    runs: { single: 0, double: 0, killed: 0 },
  };
  const ranAt: number[] = [];
  let announced = 0;

  /** Runs the command once; with `killAfter` it ends between two transactions after that number of announcements. */
  async function run(killAfter = Number.POSITIVE_INFINITY): Promise<void> {
    let done = 0;
    const onProgress = (count: number) => {
      announced += count - done;
      done = count;
      if (count >= killAfter) throw new Error('killed');
    };
    await expireEnrolments(home.kernel.fork(), home.clock.now());
    await announceEnds(home.kernel.fork(), home.kernel.context, { size, onProgress }).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
    });
  }

  const count = async (): Promise<number> =>
    (await sql<{ told: number }>(home.databaseUrl, `select count(*)::int as told from notification where key like 'rappel:%'`))[0]?.told ??
    0;

  async function read({ token, periods }: Enrolled): Promise<void> {
    const now = home.clock.now().getTime();
    const expected = (periods.at(-1)?.end ?? 0) > now ? 200 : 403;
    const headers = { cookie: `userToken=${token}`, accept: 'application/json' };
    const { statusCode } = await home.app.inject({ url: `/api/lecons/${paid.id}`, headers });
    result.reads += 1;
    if (statusCode !== expected) result.wrongReads.push(`${statusCode} instead of ${expected} after ${(now - start) / dayMs} days`);
  }
  /** Requests a lesson as each learner whose enrolment has just ended, and as a few others. */
  async function readAround(since: number): Promise<void> {
    const now = home.clock.now().getTime();
    const few = Array.from({ length: 4 }, () => enrolled[any(learners)] as Enrolled);
    for (const one of enrolled) if (few.includes(one) || one.periods.some(({ end }) => end > since && end <= now)) await read(one);
  }

  for (let day = 1; day <= days; day += 1) {
    const yesterday = home.clock.now().getTime();
    home.clock.advance(dayMs / 2);
    // Sessions must not expire during the simulation.
    await sql(home.databaseUrl, 'update session set expires_at = $1', [new Date(home.clock.now().getTime() + 30 * dayMs)]);
    for (let renewals = any(Math.ceil(learners / 50)); renewals > 0; renewals -= 1)
      await renew(home, prepa.id, enrolled[any(learners)] as Enrolled);
    home.clock.advance(dayMs / 2);
    // Access must also be closed before the command has run.
    await readAround(yesterday);
    // The first three days run each kind once.
    const kind = day <= 3 ? day * 0.3 : random();
    if (kind < 0.6) {
      result.runs.single += 1;
      await run();
    } else if (kind < 0.8) {
      result.runs.double += 1;
      await Promise.all([run(), run()]);
    } else {
      result.runs.killed += 1;
      if (killedCommand) {
        const before = await count();
        await killedCommand(random());
        announced += (await count()) - before;
      }
      await Promise.all([run(1 + any(3) * size), ...(random() < 0.5 ? [run()] : [])]);
      await run();
    }
    ranAt.push(home.clock.now().getTime());
  }
  for (const one of enrolled.slice(0, 500)) await read(one);

  const expected = new Set(enrolled.flatMap((one) => remindersOf(one, ranAt)));
  const rows = await sql<{ key: string }>(home.databaseUrl, `select key from notification where key like 'rappel:%'`);
  const told = new Set(rows.map(({ key }) => key));
  result.reminders = rows.length;
  result.twice = announced - told.size + (rows.length - told.size);
  result.missing = [...expected].filter((key) => !told.has(key));
  result.unexpected = [...told].filter((key) => !expected.has(key));
  return result;
}

/** Returns the expected reminders of an enrolment when the command ran at these instants. */
function remindersOf({ enrolmentId, periods }: Enrolled, ranAt: number[]): string[] {
  return periods.flatMap(({ end, from, until }) => {
    const told = new Set<number>();
    for (const at of ranAt.filter((instant) => instant >= from && instant < until)) {
      const left = dayNumber(end) - dayNumber(at);
      if (end <= at) told.add(0);
      else if (left <= 7) told.add([1, 3, 7].find((days) => left <= days) as number);
    }
    return [...told].map((days) => `rappel:${enrolmentId}:${new Date(end).toISOString()}:${days}`);
  });
}
/** Calendar day in Douala, which is one hour ahead of UTC. */
const dayNumber = (instant: number): number => Math.floor((instant + 3_600_000) / dayMs);

/** Renews for 30 days: from the end, or from now once the end has passed. */
async function renew({ kernel, clock }: TestApp, prepaId: number, learner: Enrolled): Promise<void> {
  const { dateExpiration } = await grantEnrolment(kernel.fork(), kernel.context, { email: learner.email, prepaId, reason: 'essai' });
  const now = clock.now().getTime();
  const last = learner.periods.at(-1);
  const end = Math.max(last?.end ?? 0, now) + 30 * dayMs;
  if (dateExpiration.getTime() !== end) throw new Error(`renewed until ${dateExpiration.toISOString()}`);
  if (last) last.until = now;
  learner.periods.push({ end, from: now, until: Number.POSITIVE_INFINITY });
}

/** Creates a learner with a session for each end. */
async function enrol({ databaseUrl, clock }: TestApp, prepa: { id: number; nom: string }, ends: number[]): Promise<Enrolled[]> {
  const start = clock.now();
  const rows = await sql<{ id: number; email: string; number: number }>(
    databaseUrl,
    `with input as (select end_at, number from unnest($1::timestamptz[]) with ordinality as i(end_at, number)),
          learner as (insert into app_user (id, username, email, password_hash, created_at)
                      select gen_random_uuid(), 'rappel_' || number, 'rappel' || number || '@gmail.com', 'unusable', $2 from input returning id, email),
          opened as (insert into session (id, user_id, expires_at, created_at)
                     select encode(sha256(('jeton' || email)::bytea), 'hex'), id, $2::timestamptz + interval '1 year', $2 from learner),
          enrolled as (insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
                       select l.id, $3, $4, 'active', $2, i.end_at from learner l join input i on l.email = 'rappel' || i.number || '@gmail.com'
                       returning id, user_id)
     select e.id, l.email, i.number::int from enrolled e join learner l on l.id = e.user_id join input i on l.email = 'rappel' || i.number || '@gmail.com'
     order by i.number`,
    [ends.map((end) => new Date(end).toISOString()), start, prepa.id, prepa.nom],
  );
  return rows.map(({ id, email }, index) => ({
    enrolmentId: id,
    email,
    token: `jeton${email}`,
    periods: [{ end: ends[index] ?? 0, from: start.getTime(), until: Number.POSITIVE_INFINITY }],
  }));
}
