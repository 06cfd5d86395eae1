/** A command of an author, as `\newcommand` defines it. */
export interface Macro {
  /** Number of arguments, 0 to 9. */
  readonly count: number;
  /** Value of the first argument when it is not given; null when it must be given. */
  readonly initial: string | null;
  /** LaTeX with `#1` to `#9` in place of the arguments. */
  readonly body: string;
}
