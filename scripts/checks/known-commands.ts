import type { Command } from 'commander';

/** Returns whether `prepa` has this command with these options. Placeholders for values (FILE, …, $(…)) are not options. */
export function knowsCommand(program: Command, words: readonly string[]): boolean {
  let command = program;
  let index = 0;
  for (; index < words.length; index += 1) {
    const next = command.commands.find((child) => child.name() === words[index]);
    if (!next) break;
    command = next;
  }
  if (command === program || command.commands.length > 0) return words.slice(index).join() === '--help';
  const options = words.slice(index).filter((word) => /^--[a-z]/.test(word));
  return options.every((option) => {
    const [name = ''] = option.split('=');
    for (let holder: Command | null = command; holder; holder = holder.parent)
      if (name === '--help' || holder.options.some(({ long }) => long === name)) return true;
    return false;
  });
}
