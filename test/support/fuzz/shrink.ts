import type { Sent } from './sent.ts';
import type { Planted } from './site-copy.ts';
import type { OpenStage } from './stage.ts';

/** Copies of the site that looking for fewer requests may take. */
const mostReplays = 40;

/** Fewer of these requests, sent in their order to a fresh copy of the site, after which the last one shows the same fault. */
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
    // From the beginning: what comes long before seldom matters.
    for (let start = 0; start < least.length - 1 && replays < mostReplays; ) {
      const without = [...least.slice(0, start), ...least.slice(Math.min(start + size, least.length - 1))];
      if (await shows(without)) least = without;
      else start += size;
    }
  }
  return { what, requests: least, repeats: true };
}

/** As somebody would write it down. */
export function described({ viewer, method, url, headers, body, why }: Sent): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
  const sent = body === undefined ? '' : ` ${JSON.stringify(body.slice(0, 300))}`;
  return `${viewer}: ${method} ${url.slice(0, 300)} [${shown.join('; ')}]${sent} (${why})`;
}
