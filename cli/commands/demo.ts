import type { Command } from 'commander';
import { closeDemoAccounts, ensureDemoAdministrator, ensureDemoLearner, terminal } from '../../src/modules/identity/index.ts';
import { CliError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';

const learner = { username: 'demo', email: 'demo@gmail.com' };
const administrator = { username: 'admin', email: 'admin@gmail.com', role: 'super_admin' } as const;

/** Hidden: what `make run` calls to have somebody to sign in as, and the way to be rid of them where they are not wanted. */
export function demoCommand(): Command {
  const demo = new KernelCommand('demo').description('comptes de démonstration');
  demo
    .command('accounts')
    .description('crée les comptes de démonstration ; refusé en production')
    .answers(async (kernel) => {
      const { environment, demoPassword } = kernel.config;
      if (environment === 'production') throw new CliError('Les comptes de démonstration sont refusés en production.');
      await ensureDemoLearner(kernel.fork(), kernel.context, { ...learner, password: demoPassword });
      await ensureDemoAdministrator(kernel.fork(), kernel.context, { ...administrator, password: demoPassword });
      return [
        { learner: learner.email, administrator: administrator.email },
        `Candidat de démonstration : ${learner.email}\nAdministrateur de démonstration : ${administrator.email}`,
      ];
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
