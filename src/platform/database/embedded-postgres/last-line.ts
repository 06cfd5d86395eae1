/** The last line of a program's output that matches, for a message of one line. */
export function lastLine(text: string, pattern: RegExp): string | undefined {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .at(-1)
    ?.trim();
}
