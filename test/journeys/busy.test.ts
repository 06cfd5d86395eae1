import t from 'tap';
import { loadAssets } from '../../src/platform/pages/assets.ts';
import { createTestApp } from '../support/app.ts';
import { lookAt } from '../support/look.ts';
import { assertValidHtml } from '../support/page-checks.ts';

// What is shown to whoever comes when too many are there, in place of the page that they asked for.

const { app, kernel } = await createTestApp(t);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const look = lookAt(t, { url });

look('too many are there', { allow: [/status of 503/] }, async (page) => {
  const html = await app.view('platform/busy', { site: kernel.config.site, assets: loadAssets() });
  await assertValidHtml(t, html);
  await page.route('**/user/dashboard', (route) => route.fulfill({ status: 503, contentType: 'text/html; charset=utf-8', body: html }));
  await page.goto('/user/dashboard');
  // To the page that was asked for.
  await page.getByRole('link', { name: 'Réessayer' }).click();
  await page.waitForURL('/user/dashboard');
  return null;
});
