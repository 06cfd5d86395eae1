import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../failure.ts';

/** Who answers the questions: somebody at a terminal, or lines of a file. */
export interface Prompt {
  say(text: string): void;
  /** @throws CliError when nobody answers any more */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** What was typed ahead at a terminal was meant for the question after one whose answer does not hold; lines of a file stay. */
  forgetTypedAhead(): void;
  close(): void;
}

/** Questions stand on standard error, so that standard output is the answer of the command alone. */
export function openPrompt(): Prompt {
  const atTerminal = Boolean(process.stdin.isTTY);
  // Between questions too: what is typed ahead may be the next answer, and that a secret.
  let muted = atTerminal;
  const output = new Writable({
    write(chunk, _encoding, done) {
      // What is typed of a secret is not shown.
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: atTerminal, historySize: 0 });
  const typed: string[] = [];
  let waiting: { resolve(line: string): void; reject(error: Error): void } | null = null;
  let isOver = false;
  const over = () => new CliError("Il manque des réponses : rien n'a été écrit.");
  // Lines of a file come before they are asked for.
  lines.on('line', (line) => {
    // At once: the next line may come in the same piece.
    muted = atTerminal;
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
      const ahead = typed.shift();
      const isSilent = atTerminal && (hidden || ahead !== undefined);
      muted = isSilent;
      // With its own prompt readline shows what is typed already.
      if (isSilent || isOver) process.stderr.write(question);
      if (!isOver) {
        lines.setPrompt(question);
        lines.prompt();
      }
      try {
        const line =
          ahead ??
          (await new Promise<string>((resolve, reject) => {
            if (isOver) reject(over());
            waiting = { resolve, reject };
          }));
        return line.trim();
      } finally {
        if (isSilent) process.stderr.write('\n');
        muted = atTerminal;
      }
    },
    forgetTypedAhead() {
      if (!atTerminal || isOver) return;
      typed.length = 0;
      // Ctrl+U: the line that is not finished.
      lines.write(null, { ctrl: true, name: 'u' });
    },
    close: () => lines.close(),
  };
}
