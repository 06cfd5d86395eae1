/**
 * Runs the test files that it is sent, a group at a time, one after another in this process: what several of them stand on is loaded once.
 * Each file is a subtest, which is what it imports as 'tap': what it has opened is closed before the next file begins.
 */
import { registerHooks } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { running } from './running.ts';

/** For a file: the test that is running then fails. */
const TIMEOUT_MS = 300_000;
const SCHEME = 'test-of:';

const domain = import.meta.resolve('./domain.ts');
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'async-hook-domain') return nextResolve(domain, context);
    const { parentURL = '' } = context;
    if (specifier !== 'tap' || !running.files.has(parentURL)) return nextResolve(specifier, context);
    return { url: SCHEME + parentURL, format: 'module', shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!url.startsWith(SCHEME)) return nextLoad(url, context);
    const [registry, file] = [import.meta.resolve('./running.ts'), url.slice(SCHEME.length)].map((address) => JSON.stringify(address));
    return {
      format: 'module',
      source: `import { running } from ${registry}; export default running.files.get(${file});`,
      shortCircuit: true,
    };
  },
});

// Fastify looks for a plugin that is not named so among all modules that the process has loaded: a fifth of the time that an application takes to start.
const pluginName = Symbol.for('fastify.display-name');
Object.defineProperty(Function.prototype, pluginName, {
  get(this: { name: string }) {
    return this.name;
  },
  set(this: object, value: string) {
    Object.defineProperty(this, pluginName, { value, writable: true });
  },
});

// After the hooks, which it is loaded through.
const { default: root } = await import('tap');
// With a teardown of its own tap's root ends as soon as it is idle for some milliseconds, as it is whenever the next group takes its time.
root.teardown = root.after.bind(root);
running.process = root;
process.on('uncaughtException', (error, origin) => innermost(root).hookDomain.onerror(error, origin));

// Each line is a group; there are no more at the end.
const groups = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await nextLine(); line !== undefined; line = await nextLine()) {
  for (const file of JSON.parse(line) as string[]) await runFile(file);
}
root.end();

/** While files run, what is to come does not keep the process: a test that waits for nothing ends it. */
async function nextLine(): Promise<string | undefined> {
  const input = process.stdin as Socket;
  input.ref();
  const { value } = await groups.next();
  input.unref();
  return value;
}

async function runFile(file: string): Promise<void> {
  const before = surroundings();
  await root.test(file, { timeout: TIMEOUT_MS }, async (t) => {
    // The folder of t.testdir() would be named like all the files together.
    t.testdirName = join(root.testdirName, '..', file.replaceAll('/', '-'));
    const { href } = pathToFileURL(file);
    running.files.set(href, t);
    await import(href);
  });
  const after = surroundings();
  const changed = Object.keys(before).filter((name) => after[name] !== before[name]);
  if (changed.length > 0) root.fail(`${file} leaves ${changed.join(', ')} changed for the next file`);
}

type AnyTest = Pick<Test, 'hookDomain'> & Partial<Pick<Test, 'activeSubtests'>>;

/** The test that is running, of those inside one another. */
function innermost(test: AnyTest): AnyTest {
  const [inner] = test.activeSubtests ?? [];
  return inner ? innermost(inner) : test;
}

/** What a file may not leave changed for the next; what libraries add when they are loaded stays. */
function surroundings(): Record<string, unknown> {
  return { ...globalThis, ...process.env, cwd: process.cwd() };
}
