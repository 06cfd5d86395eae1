import fc from 'fast-check';
import { diceOf } from './dice.ts';
import { Memory } from './memory.ts';
import { nextRequest } from './requests.ts';
import type { Sent } from './sent.ts';
import { leastRequests } from './shrink.ts';
import type { Planted } from './site-copy.ts';
import { type Finding, inThisProcess, type OpenStage, type Stage } from './stage.ts';

export interface Plan {
  requests: number;
  /** Requests to one copy of the site, before the next copy is opened. */
  perSequence: number;
  seed: number;
  /** Opens a copy of the site; by default an application in this process. */
  open?: OpenStage;
  /** Time after which no further request is sent, in ms; running requests finish. */
  time?: number;
  onProgress?: (requests: number) => void;
}

export interface Outcome {
  requests: number;
  sequences: number;
  /** Number of responses by status class (hundreds). */
  answers: Record<string, number>;
  /** Number of routes that a request has reached successfully. */
  reached: number;
  routes: number;
  slowestMs: number;
  /** Each fault once, with the shortest request sequence that shows it. */
  findings: { what: string; requests: Sent[]; repeats: boolean }[];
  /** Number of requests until the first finding. */
  foundAfter: number | null;
  /** Routes without a successful request. */
  unreached: string[];
}

/** Sends random requests of all roles to copies of the planted site, one sequence after another, until a fault is found. */
export async function campaign(
  planted: Planted,
  { requests, perSequence, seed, open = inThisProcess, time = Infinity, onProgress }: Plan,
): Promise<Outcome> {
  const end = performance.now() + time;
  const sequences = Math.ceil(requests / perSequence);
  const answers: Record<string, number> = {};
  const reached = new Set<string>();
  let routes: string[] = [];
  let sent = 0;
  let slowestMs = 0;
  let found: { all: Sent[]; findings: Finding[] } | null = null;

  const sequence = async (draw: fc.GeneratorValue): Promise<boolean> => {
    const all: Sent[] = [];
    const findings: Finding[] = [];
    await open(planted, async (stage: Stage) => {
      routes = stage.table.routes.map(({ key }) => key);
      const dice = diceOf(draw);
      const memory = new Memory(stage.table, planted.known);
      const length = Math.min(perSequence, requests - sent);
      for (let count = 0; count < length && findings.length === 0 && performance.now() < end; count += 1) {
        const request = nextRequest(dice, memory, stage.viewers);
        all.push(request);
        const { answer, precious, findings: wrong } = await stage.play(request);
        findings.push(...wrong);
        const viewer = stage.viewers.find(({ name }) => name === request.viewer);
        const isPage = String(answer.headers['content-type']).startsWith('text/html');
        if (viewer) memory.note(request, viewer, { status: answer.status, body: answer.body, isPage, precious });
        if (answer.status < 400) reached.add(memory.routeOf(request));
        const hundreds = `${Math.floor(answer.status / 100)}xx`;
        answers[hundreds] = (answers[hundreds] ?? 0) + 1;
        slowestMs = Math.max(slowestMs, answer.ms);
        sent += 1;
        onProgress?.(sent);
      }
      const last = all.at(-1);
      if (last && findings.length === 0)
        findings.push(...(await stage.checkRules()).map((what) => ({ what, sent: last, index: all.length - 1 })));
    });
    if (findings.length > 0) found = { all, findings };
    return findings.length === 0;
  };
  const run = await fc.check(fc.asyncProperty(fc.gen(), sequence), { seed, numRuns: sequences, endOnFailure: true });
  // Findings are stored in `found`; any other error is a fault of the fuzzer.
  if (run.failed && !found) throw run.errorInstance ?? new Error('a sequence failed without a finding');

  const { all, findings } = found ?? { all: [], findings: [] as Finding[] };
  const once = [...new Map(findings.map((finding) => [finding.what, finding])).values()].slice(0, 3);
  return {
    requests: sent,
    sequences,
    answers,
    reached: routes.filter((route) => reached.has(route)).length,
    routes: routes.length,
    slowestMs,
    findings: await Promise.all(once.map(({ what }) => leastRequests(planted, open, all, what))),
    foundAfter: found ? sent : null,
    unreached: routes.filter((route) => !reached.has(route)),
  };
}
