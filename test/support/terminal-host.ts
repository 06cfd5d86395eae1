/**
 * Runs `prepa …` from the bundle again and again in one process: each run loads the program anew, with arguments and an environment of its own;
 * the libraries beside it are loaded once.
 */
import { pathToFileURL } from 'node:url';

const [file = ''] = process.argv.slice(2);
const main = pathToFileURL(file).href;
let runs = 0;

process.on('message', async ({ args, env }: { args: string[]; env: Record<string, string> }) => {
  const [out, error] = [capture(process.stdout), capture(process.stderr)];
  process.argv = [process.execPath, file, ...args];
  process.env = { ...env };
  process.exitCode = undefined;
  runs += 1;
  // What the program does not catch is told as Node tells it.
  await import(`${main}?${runs}`).catch((failure) => {
    process.stderr.write(String(failure?.stack ?? failure));
    process.exitCode = 1;
  });
  process.send?.({ code: Number(process.exitCode ?? 0), out: out(), error: error() });
});
process.on('disconnect', () => process.exit());

/** What is written from now on, to be called at the end. */
function capture(stream: NodeJS.WriteStream): () => string {
  const written: Uint8Array[] = [];
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    written.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    const done = rest.find((argument) => typeof argument === 'function');
    if (done) process.nextTick(done as () => void);
    return true;
  };
  return () => Buffer.concat(written).toString();
}
