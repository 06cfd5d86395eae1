import type { Kernel } from '../../src/kernel.ts';
import { isDatabaseAway } from '../../src/platform/database/database-away.ts';
import { within } from '../../src/platform/work/within.ts';
import { explain } from '../failure.ts';

/** What a check has found: all is well, something could be better and the site works without it, or something is wrong. */
export interface Verdict {
  state: 'ok' | 'avis' | 'faute';
  /** What is so, in French. */
  detail: string;
  /** What mends it, in French. */
  remedy?: string;
}

export const good = (detail: string): Verdict => ({ state: 'ok', detail });
/** Only an optional part is missing or could be better: `prepa doctor` alone still ends with 0. */
export const notice = (detail: string, remedy: string): Verdict => ({ state: 'avis', detail, remedy });
export const fault = (detail: string, remedy?: string): Verdict => ({ state: 'faute', detail, ...(remedy && { remedy }) });

/** What checks look at. */
interface Site {
  kernel: Kernel;
  /** Aborted when the check has had its time: what it waits for must not keep the command alive. */
  signal: AbortSignal;
}

/** One line of `prepa doctor`. One file per subject; cli/checks/all-checks.ts names them all. */
export interface Check {
  /** As operators read it. */
  name: string;
  /** Whether elsewhere than in production there is nothing to say of it. */
  inProduction?: true;
  /** What it finds; null where there is nothing to look at. What it throws is a fault, in the words of `explain`. */
  look(site: Site): Promise<Verdict | null> | Verdict | null;
}

/** A line as programs read it. */
export interface Line {
  name: string;
  /** False for a fault alone. */
  ok: boolean;
  state: Verdict['state'];
  warning?: true;
  /** What is so, and behind it what mends it. */
  detail: string;
  remedy?: string;
}

export const lineOf = (name: string, { state, detail, remedy }: Verdict): Line => ({
  name,
  ok: state !== 'faute',
  state,
  ...(state === 'avis' && { warning: true }),
  detail: remedy ? `${detail} : ${remedy}` : detail,
  ...(remedy && { remedy }),
});

/** What one check may take, in ms. They run side by side, so that all together take hardly more. */
const checkWithinMs = 9_000;

interface Finding {
  line: Line;
  /** Nothing was found out, because the database is away. */
  databaseAway: boolean;
  /** Its time was over before it had found anything. */
  isLate: boolean;
}

/** Connections that they share, so that a database that is short of them still hears each. */
const connections = 4;

/** Runs all of them at once, each for its time; their lines in the order of the list. */
export async function runChecks(checks: readonly Check[], kernel: Kernel): Promise<{ lines: Line[]; areLate: boolean }> {
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  pool.options.max = connections;
  const ofHere = checks.filter(({ inProduction }) => !inProduction || kernel.config.environment === 'production');
  const findings = (await Promise.all(ofHere.map((check) => runCheck(check, kernel)))).filter((found) => found !== null);
  // That the database is away is said once.
  const first = findings.find(({ databaseAway }) => databaseAway);
  return {
    lines: findings.filter((found) => !found.databaseAway || found === first).map(({ line }) => line),
    areLate: findings.some(({ isLate }) => isLate),
  };
}

async function runCheck({ name, look }: Check, kernel: Kernel): Promise<Finding | null> {
  const over = new AbortController();
  const noAnswer = fault(`pas de réponse en ${checkWithinMs / 1000} secondes`);
  try {
    const verdict = await within((async () => look({ kernel, signal: over.signal }))(), checkWithinMs, () => noAnswer);
    return verdict && { line: lineOf(name, verdict), databaseAway: false, isLate: verdict === noAnswer };
  } catch (error) {
    return { line: lineOf(name, fault(explain(error))), databaseAway: isDatabaseAway(error), isLate: false };
  } finally {
    over.abort();
  }
}
