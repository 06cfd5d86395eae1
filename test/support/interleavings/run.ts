import pg from 'pg';
import { announceEnds, expireEnrolments } from '../../../src/modules/enrolment/index.ts';
import { settlePayment } from '../../../src/modules/payment/index.ts';
import { AppError } from '../../../src/platform/errors.ts';
import type { Clock } from '../../../src/platform/use-cases/clock.ts';
import type { UseCaseContext } from '../../../src/platform/use-cases/events.ts';
import { type Random, seeded } from '../random.ts';
import { Beginning, clearTables, emptyTables, lastingRows } from './beginning.ts';
import { type Hold, holdBackends } from './holding.ts';
import { judge } from './judge.ts';
import { type Known, Ledger } from './ledger.ts';
import { drawScene } from './scenes.ts';
import { type Outcome, Scheduler } from './scheduler.ts';
import { openSeat, type Seat } from './seats.ts';
import { preemptions, randomPriorities, randomWalk, type Strategy } from './strategies.ts';

/** Time at which every interleaving begins. */
const beginsAt = Date.parse('2026-11-22T08:00:00Z');
/** Largest number of concurrent actors. */
const seats = 3;
/** Time that passes between two steps, in ms. */
const ticks = [0, 0, 1, 3, 20];
/** Clock differences between two machines, in ms. */
const skews = [0, 0, 40, -40, 1_000, -1_000];
/** Number of interleavings after which the space of deleted rows is freed. */
const clearEvery = 500;
const lastOldRow = 99;

/** A database with its seats; interleavings run on it one after another. */
export interface Stage {
  observer: pg.Client;
  hold: Hold;
  seats: Seat[];
  played: number;
  close(): Promise<void>;
}

/** @param url a migrated, empty database for this stage alone */
export async function openStage(url: string): Promise<Stage> {
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  // The scheduler resolves deadlocks, so that the seed decides how.
  await observer.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '1min'`);
  await observer.query(`set session_replication_role = replica; ${lastingRows}`);
  const opened = await Promise.all(Array.from({ length: seats }, () => openSeat(url)));
  const hold = holdBackends(opened.flatMap(({ pids }) => pids));
  return {
    observer,
    hold,
    seats: opened,
    played: 0,
    async close() {
      hold.close();
      await Promise.all(opened.map(({ kernel }) => kernel.close()));
      await observer.end();
    },
  };
}

export interface Played {
  scene: string;
  /** All statements, with the actors' choices and the clock. */
  trace: string[];
  /** Number of choices made. */
  steps: number;
  /** Empty when no fault was found. */
  faults: string[];
}

export interface Choice {
  seed: number;
  /** A scene's name; without it, any scene. */
  scene?: string | undefined;
  /** The order of the actors; without it, drawn from the seed. */
  schedule?: Schedule | undefined;
}

/** The actor that begins, and the steps at which another actor takes over. */
export interface Schedule {
  first: number;
  at: number[];
}

/** Runs one interleaving. The seed determines the actors, their data, and the actor that continues at each step. */
export async function play(stage: Stage, { seed, scene: only, schedule }: Choice): Promise<Played> {
  const random = seeded(seed);
  const clock = new SharedClock();
  const scheduler = new Scheduler(schedule ? preemptions(schedule.first, schedule.at) : drawStrategy(random), stage, () =>
    clock.pass(random),
  );
  const ledger = new Ledger((what) => scheduler.point(what));
  const beginning = new Beginning(new Date(beginsAt), ledger);
  const scene = drawScene(random, beginning, ledger, only);
  stage.played += 1;
  await stage.observer.query(`${stage.played % clearEvery === 0 ? clearTables : emptyTables}\n${beginning.sql}`);

  const complaints: string[] = [];
  // Actors in one process share what the providers have learnt from earlier requests; actors in several processes do not.
  const shared = random() < 0.5 ? ledger.providers() : null;
  const actors = Object.entries(scene.deeds).map(([name, deed], index) => {
    const seat = stage.seats[index] as Seat;
    seat.taken = { name, scheduler };
    const skew = skews[Math.floor(random() * skews.length)] ?? 0;
    const context = contextOf(seat, clock.ahead(skew), complaints);
    const providers = shared ?? ledger.providers();
    return { name, work: () => deed({ em: seat.kernel.fork(), context, providers }) };
  });
  let outcomes: Outcome[];
  try {
    outcomes = await scheduler.run(actors);
  } finally {
    for (const seat of stage.seats) seat.taken = null;
  }
  const last = clock.ahead(Math.max(...skews));
  const after = await settleAll(stage, ledger, contextOf(stage.seats[0] as Seat, last, complaints));
  const situation = { ledger: ledger.lines, outcomes, oldRows: lastOldRow, nowMs: last.now().getTime() };
  const faults = [
    ...complaints,
    ...outcomes.flatMap(unexpected),
    ...after,
    ...(scene.expect?.(outcomes) ?? []),
    ...(await judge(stage.observer, situation)),
  ];
  return { scene: scene.name, trace: scheduler.trace, steps: scheduler.steps, faults };
}

/** Half of the interleavings use a random walk, the others change priorities one to three times. */
function drawStrategy(random: Random): Strategy {
  const changes = [0, 0, 0, 1, 2, 3][Math.floor(random() * 6)] ?? 0;
  return changes === 0 ? randomWalk(random) : randomPriorities(random, { changes, steps: 60 });
}

/** Runs the follow-up work of an operator and the nightly command: it corrects what was only delayed, and leaves faults. */
async function settleAll({ observer, seats: [seat] }: Stage, ledger: Ledger, context: UseCaseContext): Promise<string[]> {
  const { fork } = (seat as Seat).kernel;
  const now = context.clock.now();
  const providers = ledger.providers();
  try {
    const { rows } = await observer.query<{ payments: Known[] | null; ends: boolean }>({ name: 'left', text: left, values: [now] });
    for (const known of rows[0]?.payments ?? []) {
      if (!ledger.isKnown(known)) await settlePayment(fork(), context, providers, known.id, 'operator', 'terminal');
    }
    if (rows[0]?.ends) {
      await expireEnrolments(fork(), now);
      await announceEnds(fork(), context);
    }
    return [];
  } catch (error) {
    return [`afterwards: ${error}`];
  }
}

/** The payments in our database, and whether an enrolment has ended or ends soon. */
const left = `
  select (select json_agg(json_build_object('id', id, 'reference', reference, 'status', status, 'refunded', refunded_amount) order by id) from payment) as payments,
         exists (select from enrolment where date_expiration < $1::timestamptz + interval '8 days') as ends`;

/** Returns unexpected errors. Errors reported to the caller are allowed, such as a conflict or a missing row. */
function unexpected({ name, error }: Outcome): string[] {
  if (error === undefined) return [];
  const told = error instanceof AppError && (error.status < 500 || error.code === 'PAYMENT.START_FAILED');
  return told ? [] : [`${name} fails: ${error}`];
}

function contextOf(seat: Seat, clock: Clock, complaints: string[]): UseCaseContext {
  const nothing = () => {};
  const error = ({ err }: { err?: unknown }, message?: string) => void complaints.push(`${message}: ${err}`);
  return {
    ...seat.kernel.context,
    clock,
    log: { debug: nothing, info: nothing, warn: nothing, error: error as UseCaseContext['log']['error'] },
  };
}

/** The clock of an interleaving: it advances only between steps, by random amounts. */
class SharedClock {
  #ms = beginsAt;

  /** @returns the time since the beginning, for the trace */
  pass(random: Random): string {
    this.#ms += ticks[Math.floor(random() * ticks.length)] ?? 0;
    return `${this.#ms - beginsAt}`;
  }

  /** Returns the clock of a machine that is `skew` ms ahead. */
  ahead(skew: number): Clock {
    return { now: () => new Date(this.#ms + skew) };
  }
}
