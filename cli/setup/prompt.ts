import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../failure.ts';

/** The source of the answers: a person at a terminal, or lines of a file. */
export interface Prompt {
  say(text: string): void;
  /** @throws CliError when the input has ended */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Drops the text typed ahead at a terminal: after an invalid answer, it was meant for a later question. Lines of a file are kept. */
  forgetTypedAhead(): void;
  close(): void;
}

/** Opens a prompt that writes questions to standard error, so that standard output has only the command's result. */
export function openPrompt(): Prompt {
  const atTerminal = Boolean(process.stdin.isTTY);
  // The output is also muted between questions: text typed ahead may answer the next question and be a secret.
  let muted = atTerminal;
  const output = new Writable({
    write(chunk, _encoding, done) {
      // Typed secrets are not echoed.
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: atTerminal, historySize: 0 });
  const typed: string[] = [];
  let waiting: { resolve(line: string): void; reject(error: Error): void } | null = null;
  let isOver = false;
  const over = () => new CliError("Il manque des réponses : rien n'a été écrit.");
  // Lines of a file arrive before their questions.
  lines.on('line', (line) => {
    // Mute at once: the next line may arrive in the same chunk.
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
      // readline's own prompt would echo the text typed so far.
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
      // Ctrl+U deletes the unfinished line.
      lines.write(null, { ctrl: true, name: 'u' });
    },
    close: () => lines.close(),
  };
}
