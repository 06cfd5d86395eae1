import cluster from 'node:cluster';
import { type Answered, isOurs, type Told } from './messages.ts';

/** How long the first process may take for an answer, in ms: it counts, and waits for nobody. */
const answerMs = 1_000;

/** Whether this is one of several processes that serve the site on this machine, started by a first one (WEB_PROCESSES). */
export const isOneOfSeveral = (): boolean => cluster.isWorker;

/** Its place among them, from 0; what one process of a machine does for all is the first place's. 0 where there is only one. */
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
 * Asks the first process, in one of several.
 * @param waitMs until it is given up
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

/** Hears what the first process tells all others; the last one who asks for it hears it. */
export function hearFirst<News>(about: string, listener: (news: News) => void): void {
  listeners.set(about, listener as (news: never) => void);
  listen();
}
