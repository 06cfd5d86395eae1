// Slow: a server with settings of its own, in a browser.
import t from 'tap';
import { beginMaintenance } from '../../src/platform/maintenance/maintenance-state.ts';
import { loadAssets } from '../../src/platform/pages/assets.ts';
import { createTestApp } from '../support/app.ts';
import { lookAt } from '../support/look.ts';
import { assertValidHtml } from '../support/page-checks.ts';

// The pages shown under overload and during maintenance, in place of the requested page.

const { app, kernel, clock } = await createTestApp(t);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const look = lookAt(t, { url });

look('overload', { allow: [/status of 503/] }, async (page) => {
  const html = await app.view('platform/busy', { site: kernel.config.site, assets: loadAssets() });
  await assertValidHtml(t, html);
  await page.route('**/user/dashboard', (route) => route.fulfill({ status: 503, contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto('/user/dashboard');
  // The link leads to the requested page.
  await page.getByRole('link', { name: 'Réessayer' }).click();
  await page.waitForURL('/user/dashboard');
  return null;
});

look('the site is closed for maintenance', { allow: [/status of 503/] }, async (page) => {
  await beginMaintenance(kernel.fork(), {
    message: 'Nous installons une nouvelle version du site.',
    until: new Date(clock.now().getTime() + 45 * 60_000),
    since: clock.now(),
  });
  await app.lookForMaintenance();
  return page.goto('/user/dashboard');
});
