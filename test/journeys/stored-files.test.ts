// Slow: a server with a store of its own, in a browser.
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { call, createTestApp } from '../support/app.ts';
import { newPage, stepScreenshot } from '../support/browser.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createLearner,
  createPrepa,
} from '../support/factories.ts';
import { presentSession } from '../support/journey.ts';
import { picture, upload } from '../support/multipart.ts';
import { openS3Server } from '../support/s3-server.ts';

// Files in an S3 store, in a browser: the page's policy allows the picture, and a document is downloaded from the store's own URL.

const s3 = await openS3Server(t.testdir({}));
t.teardown(() => s3.close());
const site = await createTestApp(t, s3.env);
const url = await site.app.listen({ host: '127.0.0.1', port: 0 });

t.test('a learner opens a lesson with its picture and saves its document', async (t) => {
  const prepa = await createPrepa(site);
  const discipline = await createDiscipline(site, prepa.id);
  const { session } = await createAdministrator(site);
  const image = await picture('#0274d9', 320, 180);
  const { src } = (await upload(site.app, { method: 'POST', url: '/api/images', image, session })).json();
  const payload = { titre: 'Leçon', discipline_id: discipline.id, contenu: `<figure><img src="${src}" alt="Une courbe"></figure>` };
  const { id } = (await call(site.app, { method: 'POST', url: '/api/lecons', session, payload })).json();
  const sheet = await createDocument(site, id, { nom: 'Fiche été' });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);

  for (const width of [360, 1280]) {
    const page = await newPage(t, { width, baseURL: url });
    await presentSession(page, { url }, learner);
    await page.goto(`/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${id}`);
    await page.getByRole('img', { name: 'Une courbe' }).scrollIntoViewIfNeeded();
    await page.waitForFunction(() => [...document.images].some((one) => one.alt === 'Une courbe' && one.complete && one.naturalWidth > 0));
    await stepScreenshot(page, `stored-files-${width}`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Fiche été' }).click()]);
    t.equal(new URL(download.url()).origin, s3.url, 'the download comes directly from the store');
    t.equal(download.suggestedFilename(), 'Fiche été.pdf');
    const bytes = await readFile(await download.path());
    const whole = await site.app.inject({ url: sheet.url, headers: { cookie: learner.session } });
    t.ok(bytes.equals(whole.rawPayload));
  }
});
