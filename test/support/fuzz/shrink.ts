import type { Sent } from './sent.ts';
import type { Planted } from './site-copy.ts';
import type { OpenStage } from './stage.ts';

/** Largest number of site copies used to shorten a sequence. */
const mostReplays = 40;

/** Returns a shorter sequence of these requests after which the last one shows the same fault on a fresh copy of the site. */
export async function leastRequests(planted: Planted, open: OpenStage, all: readonly Sent[], what: string) {
  let replays = 0;
  const shows = async (requests: readonly Sent[]): Promise<boolean> => {
    replays += 1;
    return open(planted, async (stage) => {
      for (const request of requests) {
        const { findings } = await stage.play(request);
        if (findings.some((finding) => finding.what === what)) return true;
      }
      return (await stage.checkRules()).includes(what);
    });
  };
  const last = all.slice(-1);
  if (await shows(last)) return { what, requests: last, repeats: true };
  let least = [...all];
  if (!(await shows(least))) return { what, requests: all.slice(-10), repeats: false };
  for (let size = Math.ceil(least.length / 2); size >= 1 && replays < mostReplays; size = Math.floor(size / 2)) {
    // Removes early requests first: they are rarely needed.
    for (let start = 0; start < least.length - 1 && replays < mostReplays; ) {
      const without = [...least.slice(0, start), ...least.slice(Math.min(start + size, least.length - 1))];
      if (await shows(without)) least = without;
      else start += size;
    }
  }
  return { what, requests: least, repeats: true };
}

/** Returns a readable description of a request. */
export function described({ viewer, method, url, headers, body, why }: Sent): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
  const sent = body === undefined ? '' : ` ${JSON.stringify(body.slice(0, 300))}`;
  return `${viewer}: ${method} ${url.slice(0, 300)} [${shown.join('; ')}]${sent} (${why})`;
}
