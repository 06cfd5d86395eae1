/** A question of a worker to the process that gave it its task, for resources that only this process has: database and stores. */

export interface Question {
  readonly number: number;
  readonly question: unknown;
}

export type Answer = { readonly number: number } & ({ readonly answer: unknown } | { readonly failed: true });

const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
let number = 0;

/** Asks the parent process; called in a worker. @throws Error when the parent could not answer */
export function ask(question: unknown): Promise<unknown> {
  if (number === 0) process.on('message', receive);
  number += 1;
  const asked: Question = { number, question };
  return new Promise((resolve, reject) => {
    waiting.set(asked.number, { resolve, reject });
    process.send?.(asked);
  });
}

function receive(message: Partial<Answer> & { answer?: unknown }): void {
  const asked = waiting.get(message.number ?? 0);
  if (!asked) return;
  waiting.delete(message.number as number);
  if ('failed' in message) asked.reject(new Error('the question was not answered'));
  else asked.resolve(message.answer);
}
