import { Command } from 'commander';
import { ensureDemoAdministrator, findLearner, registerLearner, setPassword } from '../../src/modules/identity/index.ts';
import { answer, withKernel } from '../door.ts';
import { CliError } from '../failure.ts';

const learner = { username: 'demo', email: 'demo@gmail.com' };
const administrator = { username: 'admin', email: 'admin@gmail.com', role: 'super_admin' } as const;

/** Hidden: what `make run` calls to have somebody to sign in as. */
export function demoCommand(): Command {
  const demo = new Command('demo').description('comptes de démonstration');
  demo
    .command('accounts')
    .description('crée les comptes de démonstration ; refusé en production')
    .action(async (_options, command: Command) => {
      await withKernel(async (kernel) => {
        const { environment, demoPassword, allowedEmailDomains } = kernel.config;
        if (environment === 'production') throw new CliError('Les comptes de démonstration sont refusés en production.');
        const em = kernel.fork();
        const known = await findLearner(em, learner.email);
        if (known) await setPassword(em, known.id, demoPassword);
        else {
          const form = { ...learner, password: demoPassword, confirmPassword: demoPassword };
          await registerLearner(em, kernel.context, form, [...allowedEmailDomains, 'gmail.com']);
        }
        await ensureDemoAdministrator(em, kernel.context, { ...administrator, password: demoPassword });
        answer(
          command,
          { learner: learner.email, administrator: administrator.email },
          () => `Candidat de démonstration : ${learner.email}\nAdministrateur de démonstration : ${administrator.email}`,
        );
      });
    });
  return demo;
}
