/**
 * Runs groups of test files, received on standard input, one file after another in this process, so that shared modules are loaded once.
 * Each file is a subtest, and imports this subtest as 'tap'; resources that it opened are closed before the next file begins.
 */
import { registerHooks } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { running } from './running.ts';

/** Timeout of a file; the running test then fails. */
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

// Without a display name Fastify searches all loaded modules for a plugin's name, which takes a fifth of an application's start.
const pluginName = Symbol.for('fastify.display-name');
Object.defineProperty(Function.prototype, pluginName, {
  get(this: { name: string }) {
    return this.name;
  },
  set(this: object, value: string) {
    Object.defineProperty(this, pluginName, { value, writable: true });
  },
});

// Imported after the hooks are registered, so that they apply to it.
const { default: root } = await import('tap');
// With its own teardown, tap's root would end as soon as it is idle for some milliseconds, for example while it waits for the next group.
root.teardown = root.after.bind(root);
running.process = root;
process.on('uncaughtException', (error, origin) => innermost(root).hookDomain.onerror(error, origin));

// Each line is a group; the end of the input ends the process.
const groups = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await nextLine(); line !== undefined; line = await nextLine()) {
  for (const file of JSON.parse(line) as string[]) await runFile(file);
}
root.end();

/** Reads the next line. While files run, standard input is unreferenced, so that a test that waits for nothing ends the process. */
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
    // Otherwise t.testdir() would use one folder for all files.
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

/** Returns the innermost running test. */
function innermost(test: AnyTest): AnyTest {
  const [inner] = test.activeSubtests ?? [];
  return inner ? innermost(inner) : test;
}

/** Globals, environment and working directory, which a file must restore. Globals added by loaded libraries may remain. */
function surroundings(): Record<string, unknown> {
  return { ...globalThis, ...process.env, cwd: process.cwd() };
}
