/** Parses tap's output line by line: counts assertions, and keeps the details of failures. */

interface Level {
  indent: number;
  name: string;
  failures: number;
  points: number;
}

interface Failure {
  /** Names from the file down to the assertion. */
  path: string[];
  details: string[];
}

export interface FileResult {
  name: string;
  ok: boolean;
  passed: number;
  /** Duration of the file in seconds; null when tap does not report it. */
  seconds: number | null;
  failures: Failure[];
  /** Other lines of the file's standard output. */
  output: string[];
}

const POINT = /^( *)(not )?ok\b(?: \d+)?(?: - (.*?))?\s*$/;
const SUBTEST = /^( *)# Subtest: (.*)$/;
const NOISE = /^( *)(#.*|\d+\.\.\d+.*|TAP version \d+|pragma .*|Bail out!.*)?$/;

export class TapReport {
  passed = 0;
  failed = 0;
  skipped = 0;

  readonly #onFile: (result: FileResult) => void;
  #levels: Level[] = [];
  #file = emptyFile('');
  #yaml: { end: string; lines: string[] } | undefined;
  /** The failure that the next detail lines belong to. */
  #latest: Failure | undefined;
  /** A file that has ended, but whose own detail lines may follow. */
  #ended: FileResult | undefined;

  constructor(onFile: (result: FileResult) => void) {
    this.#onFile = onFile;
  }

  line(line: string): void {
    const subtest = SUBTEST.exec(line);
    const point = POINT.exec(line);
    const yaml = /^( *)---$/.exec(line);
    if (this.#yaml) this.#inYaml(line);
    else if (subtest) this.#open(subtest[1] as string, subtest[2] as string);
    else if (point) this.#point(point);
    else if (yaml) this.#yaml = { end: `${yaml[1]}...`, lines: [] };
    else if (!NOISE.test(line)) this.#file.output.push(line.trimEnd());
  }

  /** Must be called after the last line. */
  end(): void {
    if (this.#ended) this.#onFile(this.#ended);
    this.#ended = undefined;
  }

  #open(indent: string, name: string): void {
    this.end();
    this.#closeDeeperThan(indent.length - 1);
    if (this.#levels.length === 0) this.#file = emptyFile(name);
    this.#levels.push({ indent: indent.length, name, failures: 0, points: 0 });
  }

  /** A process that exits during a test never closes its subtests. */
  #closeDeeperThan(indent: number): void {
    for (let top = this.#levels.at(-1); top && top.indent > indent; top = this.#levels.at(-1)) {
      this.#levels.pop();
      const parent = this.#levels.at(-1);
      if (!parent) continue;
      parent.points += 1;
      parent.failures += top.failures;
    }
  }

  #point([, indent = '', not, rest = '']: RegExpExecArray): void {
    this.end();
    this.#latest = undefined;
    const [, name = rest, directive] = /^(.*?) ?# (SKIP|TODO|time=)/i.exec(rest) ?? [];
    this.#closeDeeperThan(indent.length);
    const top = this.#levels.at(-1);
    const closes = top !== undefined && top.indent === indent.length && top.name === name;
    const level = closes ? this.#levels.pop() : undefined;
    const parent = this.#levels.at(-1);
    const skipped = /^(skip|todo)$/i.test(directive ?? '');
    if (parent) {
      parent.points += 1;
      parent.failures += level?.failures ?? 0;
    }
    if (not && (!level || level.failures === 0)) this.#fail(name, parent);
    else if (level && !parent && level.points === 0) this.#fail(`${name} holds no test`, parent);
    else if (skipped && !level) this.skipped += 1;
    else if (!not && !level) {
      this.passed += 1;
      this.#file.passed += 1;
    }
    if (!parent) this.#endFile(name, rest);
  }

  #fail(name: string, parent: Level | undefined): void {
    this.failed += 1;
    if (parent) parent.failures += 1;
    this.#latest = { path: [...this.#levels.map((level) => level.name), name], details: [] };
    this.#file.failures.push(this.#latest);
  }

  #endFile(name: string, rest: string): void {
    const [, ms] = /# time=([\d.]+)ms/.exec(rest) ?? [];
    const seconds = ms === undefined ? null : Number(ms) / 1000;
    this.#ended = { ...this.#file, name: this.#file.name || name, ok: this.#file.failures.length === 0, seconds };
    this.#file = emptyFile('');
  }

  #inYaml(line: string): void {
    const { end, lines } = this.#yaml as { end: string; lines: string[] };
    if (line.trimEnd() !== end) {
      lines.push(line.slice(end.length - 3));
      return;
    }
    if (this.#latest) this.#latest.details = lines;
    this.#latest = undefined;
    this.#yaml = undefined;
  }
}

function emptyFile(name: string): FileResult {
  return { name, ok: true, passed: 0, seconds: null, failures: [], output: [] };
}
