/** Returns the last line of a program's output that matches, for a one-line message. */
export function lastLine(text: string, pattern: RegExp): string | undefined {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .at(-1)
    ?.trim();
}
