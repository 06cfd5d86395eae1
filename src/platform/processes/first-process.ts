import cluster from 'node:cluster';
import { type Answered, isOurs, type Told } from './messages.ts';

/** Timeout for an answer of the first process, in ms. The first process counts in memory, so it answers at once. */
const answerMs = 1_000;

/**
 * Returns whether several processes serve the site on this machine (WEB_PROCESSES) and this is one of them, started by the first process.
 */
export const isOneOfSeveral = (): boolean => cluster.isWorker;

/** Returns this process's number among them, from 0, or 0 if it is the only one. Number 0 does the work that is done once per machine. */
export const place = (): number => (cluster.isWorker ? Number(process.env.WEB_PROCESS_PLACE ?? 0) : 0);

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
const listeners = new Map<string, (news: never) => void>();
let number = 0;
let listens = false;

function listen(): void {
  if (listens || !isOneOfSeveral()) return;
  listens = true;
  process.on('message', (message: unknown) => {
    if (isOurs<Told>(message, 'told')) listeners.get(message.about)?.(message.news as never);
    if (!isOurs<Answered>(message, 'answered')) return;
    const asked = waiting.get(message.number);
    if (message.failed) asked?.reject(new Error('the first process could not answer'));
    else asked?.resolve(message.answer as never);
  });
}

/**
 * Sends a question to the first process, from one of several, and returns its answer.
 * @param waitMs timeout, in ms
 * @throws Error when there is no answer in time
 */
export async function askFirst<Answer>(about: string, question: unknown, waitMs: number = answerMs): Promise<Answer> {
  listen();
  number += 1;
  const mine = number;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      waiting.set(mine, { resolve, reject });
      timer = setTimeout(() => reject(new Error('the first process does not answer')), waitMs);
      process.send?.({ prepa: 'asked', number: mine, about, question }, undefined, undefined, (error) => {
        if (error) reject(error);
      });
    });
  } finally {
    clearTimeout(timer);
    waiting.delete(mine);
  }
}

/** Listens to the first process's announcements on a topic. A later listener for the same topic replaces the earlier one. */
export function hearFirst<News>(about: string, listener: (news: News) => void): void {
  listeners.set(about, listener as (news: never) => void);
  listen();
}
