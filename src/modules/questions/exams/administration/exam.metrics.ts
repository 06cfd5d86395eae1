import { Gauge, type Metric } from 'prom-client';
import type { ModuleKernel } from '../../../../platform/use-cases/kernel-access.ts';
import { batchesReceived, handIns, lastBatch } from '../exam/exam.counters.ts';
import { countRunning, type RunningExams } from './watch.repository.ts';

const helps: Record<keyof RunningExams, [name: string, help: string]> = {
  sitting: ['sittings_open', 'Candidates who compose now'],
  handedIn: ['handed_in', 'Copies that are handed in, of the exams whose results are not published'],
  late: ['late_waiting', 'Copies that came after the grace and wait for a decision'],
};

/** Returns the metrics of mock exams. Counts of the database are read when the metrics are read, once for all of them. */
export function examMetrics({ fork, context }: Pick<ModuleKernel, 'fork' | 'context'>): Metric[] {
  let reading: Promise<RunningExams> | null = null;
  const read = () => {
    reading ??= countRunning(fork(), context.clock.now()).finally(() => {
      reading = null;
    });
    return reading;
  };
  const counted = (Object.keys(helps) as (keyof RunningExams)[]).map((key) => {
    const [name, help] = helps[key];
    return new Gauge({
      name: `prepa_exam_${name}`,
      help,
      // Read from the database, so all processes report the same value.
      aggregator: 'max',
      registers: [],
      async collect() {
        const found = await read().catch(() => null);
        if (found) this.set(found[key]);
        else this.remove();
      },
    });
  });
  return [...counted, batchesReceived, handIns, lastBatch] as Metric[];
}
