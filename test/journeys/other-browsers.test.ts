// Slow: it starts browsers that no other test shares.
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { createCourse, daysOf, openSite, outcomesOf } from '../support/journey.ts';
import { otherBrowsers } from '../support/other-browsers.ts';

// The main journey in Firefox and WebKit, and reading in a text browser. A browser that is not installed is skipped, with a message.

const site = await openSite(t, {}, { providers: ['notchpay'] });

for (const { name, missing, start } of otherBrowsers()) {
  t.test(`register, pay, study, next in ${name}`, { skip: missing ?? false }, async (t) => {
    const course = await createCourse(site);
    const browser = await start(t);
    const email = `${name.toLowerCase()}@gmail.com`;

    await browser.open(`${site.url}/inscription?suite=${encodeURIComponent(`/user/dashboard?paiement=${course.id}`)}`);
    for (const [field, text] of Object.entries({
      username: `eleve_${name}`,
      email,
      password: 'Concours-2026',
      confirmPassword: 'Concours-2026',
    }))
      await browser.type(field, text);
    await browser.until(`document.querySelector('[data-island="auth"][data-state="ready"]')`);
    await browser.click("S'inscrire");
    await browser.until(`location.pathname === '/user/dashboard' && document.querySelector('[data-island="payment"][data-state="ready"]')`);
    await browser.click('Payer 15 000 XAF');
    await browser.click('Approuver le paiement');
    await browser.until(`location.pathname === '/user/prepaview/${course.id}'`);
    t.same(await outcomesOf(site, { email }), ['succeeded: 1']);
    t.same(await daysOf(site, { email }), [30]);

    await browser.open(site.url + course.path);
    await browser.until(`document.querySelector('.study .prose')?.innerText.trim() === 'Texte de la leçon Suites.'`);
    await browser.until(`document.querySelector('[data-island="study"][data-state="ready"]')`);
    await browser.click('Suivant');
    await browser.until(`document.querySelector('.study .prose')?.innerText.trim() === 'Texte de la leçon Limites.'`);
    t.match(await browser.evaluate('location.search'), /^\?type=course&item=\d+$/);
    t.equal(await browser.evaluate('document.activeElement.id'), 'study-title', 'the new title has the focus');
    t.ok(await browser.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page is not wider than the screen');
  });
}

const w3m = spawnSync('w3m', ['-version']).error ? 'w3m is not installed' : false;
t.test('a lesson in a text browser', { skip: w3m }, async (t) => {
  const course = await createCourse(site);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, course);
  const { stdout } = spawnSync('w3m', ['-dump', '-cols', '80', '-header', `Cookie: ${learner.session}`, site.url + course.path], {
    encoding: 'utf8',
    // w3m writes in the character set of the locale.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  const at = (text: string) => stdout.indexOf(text);
  t.ok(at(course.nom) >= 0 && at('Texte de la leçon Suites.') > at(course.nom), 'the names of prepa and discipline come before the text');
  t.match(stdout, /Limites[\s\S]*Intégrales/, 'the contents are a list');
  t.match(stdout, 'Suivant');
});
