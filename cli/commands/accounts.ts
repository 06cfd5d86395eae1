import type { Command } from 'commander';
import { terminal, unlockAccounts } from '../../src/modules/identity/index.ts';
import { KernelCommand } from '../kernel-command.ts';

const kinds = { learner: 'candidat', administrator: 'administrateur' } as const;

export function accountsCommand(): Command {
  const accounts = new KernelCommand('accounts').description('comptes des candidats et des administrateurs');

  accounts
    .command('unlock')
    .description("oublie les connexions échouées aux comptes de cette adresse : on peut s'y connecter de nouveau, de partout")
    .argument('<adresse>', 'adresse électronique du compte')
    .answers(async (kernel, email: string) => {
      const unlocked = await unlockAccounts(kernel.fork(), kernel.context, terminal, email);
      return [
        unlocked,
        unlocked
          .map(({ kind, username, forgotten }) =>
            forgotten > 0
              ? `Le compte de ${username} (${kinds[kind]}) est débloqué : ses échecs sont oubliés.`
              : `Le compte de ${username} (${kinds[kind]}) n'était pas bloqué : aucun échec n'est compté.`,
          )
          .join('\n'),
      ];
    });
  return accounts;
}
