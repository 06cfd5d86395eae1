import t from 'tap';
import { createAnnouncedExam, createSitting } from '../support/exams.ts';
import { createEnrolment, createLearner, createPrepa } from '../support/factories.ts';
import { openSite } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';

// The pages that announce mock exams: the list, the dashboard and the prepa's page.

const site = await openSite(t);
const [learner, newcomer] = [await createLearner(site), await createLearner(site)];
const prepa = await createPrepa(site, { nom: 'ENAM, cycle A' });
await createEnrolment(site, learner, prepa, 20);
await createAnnouncedExam(site, { titre: 'Culture générale et droit, première épreuve', prepa, opensIn: 26 * 60 });
const past = await createAnnouncedExam(site, { titre: 'Concours blanc de novembre', prepa, opensIn: 1 });
await createSitting(site, past, learner, { handedIn: 40 });
await site.rows(
  `update exam set opens_at = opens_at - interval '3 days', closes_at = closes_at - interval '3 days', marked_at = now(), published_at = now()
   where id = $1`,
  [past.id],
);

const look = lookAt(t, site);
const as = (who: { session: string }) => ({ as: { token: who.session.replace(/^userToken=/, '') } });
look('exam-list', as(learner), (page) => page.goto('/user/concours-blancs'));
look('exam-list-empty', as(newcomer), (page) => page.goto('/user/concours-blancs'));
look('dashboard-with-exam', as(learner), (page) => page.goto('/user/dashboard'));
look('prepa-with-exam', as(learner), (page) => page.goto(`/user/prepa/${prepa.id}`));
