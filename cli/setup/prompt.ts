import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../failure.ts';

/** Who answers the questions: somebody at a terminal, or lines of a file. */
export interface Prompt {
  say(text: string): void;
  /** @throws CliError when nobody answers any more */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  close(): void;
}

/** Questions stand on standard error, so that standard output is the answer of the command alone. */
export function openPrompt(): Prompt {
  let muted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      // What is typed of a secret is not shown.
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const atTerminal = Boolean(process.stdin.isTTY);
  const lines = createInterface({ input: process.stdin, output, terminal: atTerminal, historySize: 0 });
  const typed: string[] = [];
  let waiting: { resolve(line: string): void; reject(error: Error): void } | null = null;
  let isOver = false;
  const over = () => new CliError("Il manque des réponses : rien n'a été écrit.");
  // Lines of a file come before they are asked for.
  lines.on('line', (line) => {
    if (waiting === null) typed.push(line);
    else waiting.resolve(line);
    waiting = null;
  });
  lines.on('SIGINT', () => lines.close());
  lines.on('close', () => {
    isOver = true;
    waiting?.reject(over());
  });
  return {
    say: (text) => process.stderr.write(`${text}\n`),
    async ask(question, { hidden = false } = {}) {
      if (isOver) output.write(question);
      else {
        lines.setPrompt(question);
        lines.prompt();
      }
      muted = hidden && atTerminal;
      try {
        const line =
          typed.shift() ??
          (await new Promise<string>((resolve, reject) => {
            if (isOver) reject(over());
            waiting = { resolve, reject };
          }));
        return line.trim();
      } finally {
        if (muted) process.stderr.write('\n');
        muted = false;
      }
    },
    close: () => lines.close(),
  };
}
