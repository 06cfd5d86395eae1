import type { FastifyInstance } from 'fastify';

/** Entries of the bar, by the path of their pages. */
const currentOf = (url: string): 'today' | 'mine' | 'again' | null => {
  if (url === '/user/dashboard') return 'today';
  if (url === '/user/a-revoir') return 'again';
  return /^\/user\/prepa(view)?(\/|$)/.test(url) && !url.includes('consultation') ? 'mine' : null;
};

/** Adds the learner's navigation to every page of a signed-in learner: at the bottom of narrow screens, in the header of wide ones. */
export function addLearnerBar(app: FastifyInstance): void {
  /** HTML of the bar, by its current entry and count. */
  const bars = new Map<string, string>();
  app.contributeToLayout(async (request) => {
    if (!request.learner) return {};
    const { url = '', config } = request.routeOptions;
    const read = config.lightHeader ? null : (await app.readHeader(request))?.toReview;
    const toReview = typeof read === 'number' ? read : 0;
    const current = currentOf(url);
    const key = `${current} ${toReview}`;
    const learnerBar = bars.get(key) ?? (await app.view('portal/bar', { current, toReview }));
    bars.set(key, learnerBar);
    return { learnerBar };
  });
}
