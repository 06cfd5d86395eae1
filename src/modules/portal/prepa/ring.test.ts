import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { squeeze } from '../../../../test/support/app.ts';
import { templateEngine } from '../../../platform/pages/template-engine.ts';
import { projectRoot } from '../../../platform/settings/project-root.ts';

const eta = templateEngine({ strict: true });
eta.config.views = join(projectRoot, 'views');
const render = (view: string, progress: object | null) => parseHTML(`<main>${eta.render(view, { progress })}</main>`).document;

t.test('a ring shows what is finished, then what is to be reviewed', async (t) => {
  for (const [progress, share, done, review] of [
    [{ done: 2, total: 8, toReview: 1 }, '25 %', ['25 100', null], ['12.5 100', '-25']],
    [{ done: 1, total: 300, toReview: 0 }, '1 %', ['0.3 100', null], null],
    [{ done: 299, total: 300, toReview: 0 }, '99 %', ['99.7 100', null], null],
    [{ done: 0, total: 4, toReview: 4 }, '0 %', null, ['100 100', '-0']],
    [{ done: 4, total: 4, toReview: 0 }, '', ['100 100', null], null],
  ] as const) {
    const document = render('/portal/ring', progress);
    const arc = (name: string) => {
      const circle = document.querySelector(`.ring__${name}`);
      return circle && [circle.getAttribute('stroke-dasharray'), circle.getAttribute('stroke-dashoffset')];
    };
    const seen = { share: squeeze(document.querySelector('text')?.textContent), done: arc('done'), review: arc('review') };
    t.same(seen, { share, done, review }, JSON.stringify(progress));
    t.equal(document.querySelector('.ring__tick') !== null, progress.done === progress.total, 'all finished is a tick');
    t.equal(document.querySelector('svg')?.getAttribute('aria-hidden'), 'true');
  }
  for (const progress of [null, { done: 0, total: 0, toReview: 0 }]) t.equal(render('/portal/ring', progress).querySelector('svg'), null);
});
