import { afterSpaces, groupAt } from '../macros/scan.ts';

/** Longest definition of an environment, in characters, and most of them. */
const maxLength = 4_000;
const maxDefinitions = 300;

/** An environment that a file defines: what stands at its beginning and end. */
export interface OwnEnvironment {
  readonly count: number;
  /** Value of the first argument when it is not given; null when it must be given. */
  readonly initial: string | null;
  readonly begin: string;
  readonly end: string;
}

/** A kind of theorem: its title, and how it is counted. */
export interface TheoremKind {
  readonly title: string;
  /** Name of its counter; null for one without numbers. */
  readonly counter: string | null;
  /** Name of the section whose number comes first; null for none. */
  readonly within: string | null;
}

export interface OwnEnvironments {
  readonly environments: ReadonlyMap<string, OwnEnvironment>;
  readonly theorems: ReadonlyMap<string, TheoremKind>;
  /** The text without definitions; its lines keep their numbers. */
  readonly text: string;
}

const DEFINES = /\\(newtheorem\*?|newmdtheoremenv|declaretheorem|(?:re)?newenvironment\*?)(?![A-Za-z])/g;

/** Environments that the reader knows better than a definition of their layout. */
const STRUCTURE = /^(?:document|itemize|enumerate|description|tabular\*?|array|figure|table|center|equation|align)$/;

/** Takes the definitions of environments and theorems out of a text. */
export function readEnvironments(source: string): OwnEnvironments {
  const environments = new Map<string, OwnEnvironment>();
  const theorems = new Map<string, TheoremKind>();
  let text = '';
  let done = 0;
  for (const found of source.matchAll(DEFINES)) {
    const behind = found.index + found[0].length;
    if (found.index < done || environments.size + theorems.size >= maxDefinitions) continue;
    const command = found[1] ?? '';
    const end =
      command === 'declaretheorem'
        ? declared(source, behind, theorems)
        : command.includes('theorem')
          ? theorem(source, behind, command.endsWith('*'), theorems)
          : environment(source, behind, environments);
    if (end === null) continue;
    text += source.slice(done, found.index) + source.slice(found.index, end).replaceAll(/[^\n]/g, '');
    done = end;
  }
  return { environments, theorems, text: text + source.slice(done) };
}

/** Reads the groups that follow each other from an offset, in braces or brackets. */
class Groups {
  readonly #source: string;
  at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.at = at;
  }

  take(signs: '{}' | '[]'): string | null {
    const found = groupAt(this.#source, afterSpaces(this.#source, this.at), signs, maxLength);
    if (found) this.at = found.end;
    return found?.content ?? null;
  }
}

function theorem(source: string, from: number, isStarred: boolean, theorems: Map<string, TheoremKind>): number | null {
  const groups = new Groups(source, from);
  const name = groups.take('{}')?.trim();
  const shared = groups.take('[]');
  const title = groups.take('{}');
  const within = groups.take('[]');
  if (!name || title === null) return null;
  const counter = isStarred ? null : (theorems.get(shared?.trim() ?? '')?.counter ?? shared?.trim() ?? name);
  theorems.set(name, { title, counter, within: within?.trim() ?? theorems.get(shared?.trim() ?? '')?.within ?? null });
  return groups.at;
}

/** Reads `\declaretheorem[name=Théorème, numbered=no]{thm}` of thmtools. */
function declared(source: string, from: number, theorems: Map<string, TheoremKind>): number | null {
  const groups = new Groups(source, from);
  const options = groups.take('[]') ?? '';
  const name = groups.take('{}')?.trim();
  if (!name) return null;
  const option = (key: string): string | null => new RegExp(`(?:^|,)\\s*${key}\\s*=\\s*\\{?([^,{}]*)`).exec(options)?.[1]?.trim() ?? null;
  const counter = option('numbered') === 'no' ? null : (option('sibling') ?? option('numberlike') ?? name);
  const title = option('name') ?? option('title') ?? name.charAt(0).toUpperCase() + name.slice(1);
  theorems.set(name, { title, counter, within: option('parent') ?? option('numberwithin') });
  return groups.at;
}

function environment(source: string, from: number, environments: Map<string, OwnEnvironment>): number | null {
  const groups = new Groups(source, from);
  const name = groups.take('{}')?.trim();
  const count = groups.take('[]');
  const initial = count === null ? null : groups.take('[]');
  const begin = groups.take('{}');
  const end = groups.take('{}');
  if (!name || STRUCTURE.test(name) || begin === null || end === null || !/^\s*\d?\s*$/.test(count ?? '')) return null;
  environments.set(name, { count: Number(count ?? 0), initial, begin, end });
  return groups.at;
}
