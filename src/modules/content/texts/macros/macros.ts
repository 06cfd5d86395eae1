import { customary } from './customary.ts';
import type { Macro } from './macro.ts';
import { afterSpaces, appended, argumentAt, commandAt, groupAt } from './scan.ts';

/** A formula whose commands cannot be expanded; the message says in French why. */
export class MacroError extends Error {
  override name = 'MacroError';
}

/** Maximum number of expansions of one formula, and of all formulas of a file. */
const maxExpansions = 500;
const maxExpansionsOfFile = 100_000;
/** Longest formula while it is expanded, in characters. */
const maxLength = 20_000;

/** Commands whose argument is text, with the name under which the site knows them. */
const TEXT: Readonly<Record<string, string>> = { '\\mbox': '\\text', '\\hbox': '\\text', '\\textnormal': '\\text' };

/** The commands of one file: those that it defines, and otherwise the customary ones of French courses. */
export class Macros {
  readonly #own: ReadonlyMap<string, Macro>;
  #left = maxExpansionsOfFile;

  /** @param own by name, with its backslash */
  constructor(own: ReadonlyMap<string, Macro> = new Map()) {
    this.#own = own;
  }

  /** Returns a command that the file itself defines, or undefined. @param name with its backslash */
  own(name: string): Macro | undefined {
    return this.#own.get(name);
  }

  /**
   * Returns what an own command at an offset stands for, and the offset behind its arguments.
   * @throws MacroError when an argument is missing, or the commands of the file have no end
   */
  ownAt(name: string, macro: Macro, text: string, at: number): { written: string; end: number } {
    this.#left -= 1;
    if (this.#left < 0) throw new MacroError(`La commande ${name} se développe sans fin`);
    return applied(name, macro, text, at + name.length);
  }

  /**
   * Returns LaTeX in which all commands of the file and all customary ones are replaced by what they stand for. Other commands stay,
   * known or not.
   * @throws MacroError when a command lacks an argument, or the result has no end
   */
  expand(latex: string): string {
    let done = '';
    let rest = latex;
    let steps = 0;
    for (let at = rest.indexOf('\\'); at !== -1; at = rest.indexOf('\\')) {
      done = appended(done, rest.slice(0, at));
      const command = commandAt(rest, at) ?? rest.slice(at);
      const macro = this.#own.get(command) ?? customary.get(command);
      const behind = at + command.length;
      if (!macro) {
        done += withText(command, rest, behind);
        rest = rest.slice(behind);
        continue;
      }
      steps += 1;
      this.#left -= 1;
      if (steps > maxExpansions || this.#left < 0 || rest.length + done.length > maxLength)
        throw new MacroError(`La commande ${command} se développe sans fin`);
      const { written, end } = applied(command, macro, rest, behind);
      // An exponent takes one group only.
      const isScript = /[_^]\s*$/.test(done) && written.length > 1;
      rest = appended(isScript ? `{${written}}` : written, rest.slice(end));
      if (rest.startsWith(' ') && /\\[A-Za-z]+$/.test(done)) rest = rest.trimStart();
    }
    return appended(done, rest);
  }
}

/** Returns a command, renamed if its argument is text. */
const withText = (command: string, rest: string, behind: number): string =>
  rest[afterSpaces(rest, behind)] === '{' ? (TEXT[command] ?? command) : command;

function applied(command: string, { count, initial, body }: Macro, text: string, behind: number): { written: string; end: number } {
  const given: string[] = [];
  // TeX ignores the space behind a name of letters, but it ends a name before a letter.
  let end = /[A-Za-z]$/.test(command) ? afterSpaces(text, behind) : behind;
  if (initial !== null) {
    const option = groupAt(text, end, '[]', maxLength);
    given.push(option?.content ?? initial);
    end = option?.end ?? end;
  }
  while (given.length < count) {
    const argument = argumentAt(text, end, maxLength);
    if (!argument) throw new MacroError(`La commande ${command} attend ${count > 1 ? `${count} arguments` : 'un argument'}`);
    given.push(argument.content);
    end = argument.end;
  }
  let written = '';
  let done = 0;
  for (const found of body.matchAll(/\\[\s\S]|##|#([1-9])/g)) {
    if (found[1] === undefined) continue;
    written = appended(written + body.slice(done, found.index), given[Number(found[1]) - 1] ?? '');
    if (written.length > maxLength) throw new MacroError(`La commande ${command} se développe sans fin`);
    done = found.index + found[0].length;
  }
  return { written: appended(written, body.slice(done)), end };
}
