import type { Kernel } from '../../src/kernel.ts';
import { isDatabaseAway } from '../../src/platform/database/database-away.ts';
import { within } from '../../src/platform/work/within.ts';
import { explain } from '../failure.ts';

/** The result of a check: 'ok', 'avis' (could be better, but the site works) or 'faute' (the site has a fault). */
export interface Verdict {
  state: 'ok' | 'avis' | 'faute';
  /** The finding, in French. */
  detail: string;
  /** How to fix the fault, in French. */
  remedy?: string;
}

export const good = (detail: string): Verdict => ({ state: 'ok', detail });
/** Returns a warning about an optional part: without --strict, `prepa doctor` still exits with 0. */
export const notice = (detail: string, remedy: string): Verdict => ({ state: 'avis', detail, remedy });
export const fault = (detail: string, remedy?: string): Verdict => ({ state: 'faute', detail, ...(remedy && { remedy }) });

/** The site that a check examines. */
interface Site {
  kernel: Kernel;
  /** Aborted when the check's time is over. Pass it to every request, or a pending one keeps the process alive. */
  signal: AbortSignal;
}

/** One line of `prepa doctor`. Each check has its own file and is listed in cli/checks/all-checks.ts. */
export interface Check {
  /** The name shown to operators, in French. */
  name: string;
  /** Whether the check is skipped outside production. */
  inProduction?: true;
  /** Returns the verdict, or null if there is nothing to check. An exception becomes a fault with the text of `explain`. */
  look(site: Site): Promise<Verdict | null> | Verdict | null;
}

/** A line of the JSON output. */
export interface Line {
  name: string;
  /** False only for a fault. */
  ok: boolean;
  state: Verdict['state'];
  warning?: true;
  /** The finding, followed by its remedy. */
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

/** Timeout of one check, in ms. The checks run in parallel, so all of them together take little longer. */
const checkWithinMs = 9_000;

interface Finding {
  line: Line;
  /** The check failed because the database is unreachable. */
  databaseAway: boolean;
  /** The check timed out. */
  isLate: boolean;
}

/** Size of the connection pool that the checks share. It is small, so that the checks also work when connections are short. */
const connections = 4;

/** Runs all checks in parallel, each with its own timeout. Returns their lines in the order of the list. */
export async function runChecks(checks: readonly Check[], kernel: Kernel): Promise<{ lines: Line[]; areLate: boolean }> {
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  pool.options.max = connections;
  const ofHere = checks.filter(({ inProduction }) => !inProduction || kernel.config.environment === 'production');
  const findings = (await Promise.all(ofHere.map((check) => runCheck(check, kernel)))).filter((found) => found !== null);
  // An unreachable database is reported only once.
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
