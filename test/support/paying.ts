import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { newPage } from './browser.ts';
import { createLearner, type TestLearner } from './factories.ts';
import { type Course, createCourse, openPaymentDialog, paymentsOf, presentSession, type Site } from './journey.ts';

/** Opens a browser with a signed-in learner and creates a course that the learner can pay for. */
export async function openAsPayer(t: Test, site: Site, width: number, options: { javaScript?: boolean; allow?: RegExp[] } = {}) {
  const page = await newPage(t, { width, baseURL: site.url, ...options });
  const [learner, course] = [await createLearner(site), await createCourse(site)];
  await presentSession(page, site, learner);
  return { page, learner, course };
}

/** Opens the payment dialog of a course, chooses the provider and pays. */
export async function payWith(page: Page, course: Course, provider: 'ZitoPay' | 'Notch Pay'): Promise<void> {
  await page.goto('/user/dashboard');
  const dialog = await openPaymentDialog(page, `S'inscrire ${course.nom}`);
  await dialog.getByRole('group', { name: 'Moyen de paiement' }).getByLabel(`MTN MoMo ${provider}`).check();
  await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
}

export const referenceOf = async (site: Site, learner: TestLearner): Promise<string> =>
  (await paymentsOf(site, learner))[0]?.reference ?? '';
