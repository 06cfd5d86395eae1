import type { Command } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import { listPublished } from '../../src/modules/catalogue/index.ts';
import { enrolmentDays, findEnrolment, grantEnrolment, isActive } from '../../src/modules/enrolment/index.ts';
import { closeDemoAccounts, ensureDemoAdministrator, ensureDemoLearner, terminal } from '../../src/modules/identity/index.ts';
import { demonstrationAnswers } from '../../src/modules/questions/index.ts';
import { dayMs } from '../../src/shared/dates.ts';
import { CliError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';

/** A learner without access, to try a payment. */
const learner = { username: 'demo', email: 'demo@gmail.com' };
/** A learner enrolled in one prepa. */
const enrolled = { username: 'demo_inscrit', email: 'demo.inscrit@gmail.com' };
const administrator = { username: 'admin', email: 'admin@gmail.com', role: 'super_admin' } as const;

/** Hidden command: `make run` calls it to create accounts to sign in with. `close` disables them. */
export function demoCommand(): Command {
  const demo = new KernelCommand('demo').description('comptes de démonstration');
  demo
    .command('accounts')
    .description('crée les comptes de démonstration ; refusé en production')
    .answers(async (kernel) => {
      const { environment, demoPassword } = kernel.config;
      if (environment === 'production') throw new CliError('Les comptes de démonstration sont refusés en production.');
      await ensureDemoLearner(kernel.fork(), kernel.context, { ...learner, password: demoPassword });
      await keepEnrolled(kernel, await ensureDemoLearner(kernel.fork(), kernel.context, { ...enrolled, password: demoPassword }));
      await ensureDemoAdministrator(kernel.fork(), kernel.context, { ...administrator, password: demoPassword });
      return [
        { learner: learner.email, enrolled: enrolled.email, administrator: administrator.email },
        [
          `Candidat de démonstration : ${learner.email}`,
          `Candidat inscrit de démonstration : ${enrolled.email}`,
          `Administrateur de démonstration : ${administrator.email}`,
        ].join('\n'),
      ];
    });

  demo
    .command('answers')
    .description('fait répondre des candidats de démonstration aux questions ; refusé en production')
    .answers(async (kernel) => {
      if (kernel.config.environment === 'production') throw new CliError('Les réponses de démonstration sont refusées en production.');
      const { answerDemonstration } = await demonstrationAnswers();
      const count = await answerDemonstration(kernel.fork(), kernel.context);
      return [{ count }, count === 0 ? 'Aucune question.' : `${count} réponses de démonstration.`];
    });

  demo
    .command('close')
    .description('ferme les comptes de démonstration : mots de passe remplacés, sessions terminées, administrateurs désactivés')
    .answers(async (kernel) => {
      const closed = await closeDemoAccounts(kernel.fork(), kernel.context, terminal);
      return [
        closed.map(({ kind, email }) => ({ kind, email })),
        closed.length === 0
          ? 'Aucun compte de démonstration.'
          : closed.map(({ email }) => `Le compte de démonstration ${email} est fermé.`).join('\n'),
      ];
    });
  return demo;
}

/** Remaining access below which days are added, in ms: half of an enrolment, so that the demonstration's access never ends. */
const renewedBelowMs = (enrolmentDays / 2) * dayMs;

/** Enrols the learner in the first published prepa, if there is one. */
async function keepEnrolled(kernel: Kernel, userId: string): Promise<void> {
  const [prepa] = await listPublished(kernel.fork(), 1);
  if (!prepa) return;
  const now = kernel.clock.now();
  const enrolment = await findEnrolment(kernel.fork(), userId, prepa.id);
  if (enrolment && isActive(enrolment, new Date(now.getTime() + renewedBelowMs))) return;
  await grantEnrolment(kernel.fork(), kernel.context, { email: enrolled.email, prepaId: prepa.id, reason: 'Démonstration' });
}
