/** Counts the statements that each page sends to PostgreSQL, and checks that ten times as many rows do not need more. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { loadConfig } from '../../src/config.ts';
import { createKernel } from '../../src/kernel.ts';
import { sql } from '../../test/support/sql.ts';
import { statementsDuring } from '../../test/support/statements.ts';
import {
  enrolEverybody,
  insertAdministrator,
  insertAuditEntries,
  insertDisciplines,
  insertLearners,
  insertLessons,
  insertPayments,
  insertPrepa,
  sessionToken,
} from '../support/fixtures.ts';
import type { Report } from '../support/report.ts';
import type { Workshop } from '../support/workshop.ts';

const most = 4;
const learner = 1;
const few = { learners: 20, lessons: 10, payments: 3 };

interface PageVisit {
  name: string;
  path: string;
  signedIn: boolean;
  /** Whether every lesson gets a new version before the visit, so that cached texts are stale. */
  cold?: boolean;
}

export async function measureQueries(workshop: Workshop, report: Report): Promise<void> {
  report.section(
    `Statements a page, with ${few.learners} learners, ${few.lessons} lessons, ${few.payments} payments and with 10 times as many`,
  );
  const url = await workshop.database('bench_queries');
  const app = await openApp(workshop, url);
  const prepaId = await insertPrepa(url, 'Préparation comptée');
  const [disciplineId = 0] = await insertDisciplines(url, prepaId, 3);
  // A prepa without enrolments: an enrolled learner would be redirected from its trial to the full prepa.
  const trialPrepaId = await insertPrepa(url, 'Essai');
  const [trialDisciplineId = 0] = await insertDisciplines(url, trialPrepaId, 3);

  const administrator = await insertAdministrator(url);

  const grow = async (from: number, to: number) => {
    await insertLearners(url, from * few.learners + 1, to * few.learners);
    await enrolEverybody(url, prepaId);
    const texts = Array.from({ length: (to - from) * few.lessons }, (_, index) => `<p>Texte ${index}</p>`);
    await insertLessons(url, disciplineId, texts);
    await insertLessons(url, trialDisciplineId, texts);
    await insertPayments(url, { learner, prepaId, count: (to - from) * few.payments });
    await insertPayments(url, { learner: to * few.learners, prepaId, count: (to - from) * few.payments });
    await insertDisciplines(url, trialPrepaId, (to - from) * 3);
    await insertAuditEntries(url, (to - from) * 20);
  };
  const renew = () => sql(url, 'update item set version = version + 1');
  const pages = listPages({ prepaId, disciplineId }, { prepaId: trialPrepaId, disciplineId: trialDisciplineId });

  await grow(0, 1);
  const before = await countAll(app, pages, renew, administrator);
  await grow(1, 10);
  const after = await countAll(app, pages, renew, administrator);
  for (const { name } of pages) {
    const [small = Number.NaN, large = Number.NaN] = [before.get(name), after.get(name)];
    report.budget({ what: name, measured: large, limit: most, unit: 'statements', digits: 0 });
    if (small !== large)
      report.budget({ what: `${name}: more with more rows`, measured: large, limit: small, unit: 'statements', digits: 0 });
  }
}

interface Place {
  prepaId: number;
  disciplineId: number;
}

function listPages({ prepaId, disciplineId }: Place, tried: Place): PageVisit[] {
  const study = `/user/prepa/${prepaId}/${disciplineId}`;
  const trial = `/user/prepa/consultation/${tried.prepaId}`;
  return [
    { name: 'landing page, visitor', path: '/', signedIn: false },
    { name: 'landing page, learner', path: '/', signedIn: true },
    { name: 'sign-in page', path: '/login', signedIn: false },
    { name: 'registration page', path: '/inscription', signedIn: false },
    { name: 'dashboard', path: '/user/dashboard', signedIn: true },
    { name: 'catalogue', path: '/user/preparations', signedIn: true },
    { name: 'enrolled prepas and disciplines', path: `/user/prepaview/${prepaId}`, signedIn: true },
    { name: 'disciplines', path: `/user/prepa/${prepaId}`, signedIn: true },
    { name: 'disciplines, trial, visitor', path: trial, signedIn: false },
    { name: 'disciplines, trial, learner', path: trial, signedIn: true },
    { name: 'study page, warm', path: study, signedIn: true },
    { name: 'study page, cold', path: study, signedIn: true, cold: true },
    { name: 'study page, trial, visitor', path: `${trial}/${tried.disciplineId}`, signedIn: false },
    { name: 'study page, trial, learner', path: `${trial}/${tried.disciplineId}`, signedIn: true },
    { name: 'notifications', path: '/user/notifications', signedIn: true },
    { name: 'search', path: '/user/recherche?q=Texte', signedIn: true },
    { name: 'search in a trial, visitor', path: `/user/recherche?q=Texte&prepa=${tried.prepaId}`, signedIn: false },
    { name: 'to be taken again', path: '/user/a-revoir', signedIn: true },
    { name: 'payment success page', path: `/user/dashboard/success/${prepaId}`, signedIn: true },
    { name: 'payment cancelled page', path: '/user/dashboard/cancel', signedIn: true },
    { name: 'screen of prepas and disciplines', path: `/admin/dashboard?prepa=${tried.prepaId}`, signedIn: true },
    { name: 'contents of a discipline, administrator', path: `/admin/discipline/${tried.disciplineId}`, signedIn: true },
    { name: 'audit log', path: '/admin/journal', signedIn: true },
    { name: 'payments, support', path: '/admin/paiements', signedIn: true },
    { name: 'story of a payment, support', path: '/admin/paiements/1', signedIn: true },
    { name: 'totals of payments', path: '/admin/paiements/totaux', signedIn: true },
    { name: 'administrators', path: '/admin/administrateurs', signedIn: true },
    { name: 'administration keys', path: '/admin/cles', signedIn: true },
  ];
}

/** Opens the application from its sources in this process, so that its statements can be observed. */
async function openApp(workshop: Workshop, url: string): Promise<FastifyInstance> {
  await import('../../test/support/tsx-hook.mjs' as string);
  const { buildApp } = await import('../../src/app.ts');
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
    SHED_LOAD: 'off',
    DATA_DIR: join(workshop.folder, 'queries'),
  });
  const kernel = await createKernel(config, { databaseUrl: url });
  workshop.teardown(() => kernel.close());
  const app = await buildApp(kernel);
  workshop.teardown(() => app.close());
  return app;
}

async function countAll(
  app: FastifyInstance,
  pages: PageVisit[],
  renew: () => Promise<unknown>,
  administrator: string,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    // Warm-up: opens connections and fills caches.
    await visit(app, page, administrator);
    if (page.cold) await renew();
    const sent = await statementsDuring(() => visit(app, page, administrator));
    counts.set(page.name, sent.length);
  }
  return counts;
}

async function visit(app: FastifyInstance, { path, signedIn }: PageVisit, administrator: string): Promise<void> {
  const cookie = path.startsWith('/admin/') ? administrator : `userToken=${sessionToken(learner)}`;
  const headers = { accept: 'text/html', ...(signedIn ? { cookie } : {}) };
  const { statusCode, body } = await app.inject({ url: path, headers });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}\n${body.slice(0, 500)}`);
}
