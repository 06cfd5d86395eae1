/**
 * Runs `prepa …` from the bundle repeatedly in one process: each run reloads the program with its own arguments and environment; libraries
 * are loaded once.
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
  // Reports uncaught errors as Node does.
  await import(`${main}?${runs}`).catch((failure) => {
    process.stderr.write(String(failure?.stack ?? failure));
    process.exitCode = 1;
  });
  process.send?.({ code: Number(process.exitCode ?? 0), out: out(), error: error() });
});
process.on('disconnect', () => process.exit());

/** Captures the output from now on; the returned function ends the capture and returns the text. */
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
