import type { Command } from 'commander';
import {
  disableAdministrator,
  enableAdministrator,
  findAdministrator,
  issueAdministratorReset,
  listAdministrators,
  resetSecondFactor,
  terminal,
} from '../../src/modules/identity/index.ts';
import { formatDate, formatInstant } from '../../src/shared/dates.ts';
import { CliError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { asColumns, table } from '../output.ts';

const address = ['<adresse>', "adresse électronique de l'administrateur"] as const;

export function adminsCommand(): Command {
  const admins = new KernelCommand('admins').description('administrateurs');

  admins
    .command('list')
    .description('liste les administrateurs, les comptes désactivés à la fin')
    .answers(async (kernel) => {
      const rows = await listAdministrators(kernel.fork());
      return [
        asColumns(rows),
        table(
          ['Nom', 'E-mail', 'Rôle', 'Depuis', 'État'],
          rows.map((row) => [
            row.username,
            row.email,
            row.role,
            formatDate(row.createdAt),
            row.disabledAt ? `désactivé le ${formatDate(row.disabledAt)}` : 'actif',
          ]),
          'Aucun administrateur.',
        ),
      ];
    });

  const ended = (username: string) => `Le compte de ${username} est désactivé, ses sessions sont terminées.`;
  admins.addCommand(
    switchCommand('disable', 'désactive un compte : plus de connexion, et ses sessions se terminent aussitôt', disableAdministrator, ended),
  );
  const back = (username: string) => `Le compte de ${username} est réactivé.`;
  admins.addCommand(switchCommand('enable', 'réactive un compte désactivé', enableAdministrator, back));

  admins
    .command('reset')
    .description('montre une seule fois une clé pour un nouveau mot de passe, valable une heure sur la page /admin/mot-de-passe')
    .argument(...address)
    .option('--second-factor', 'retire plutôt la validation en deux étapes, quand le téléphone et les codes de secours sont perdus')
    .answers(async (kernel, email: string, { secondFactor = false }: { secondFactor?: boolean }) => {
      const em = kernel.fork();
      if (secondFactor) {
        const { username, removed, ...account } = await resetSecondFactor(em, kernel.context, terminal, email);
        const done = `La validation en deux étapes de ${username} est retirée, ses sessions sont terminées.`;
        return [{ username, ...account, removed }, removed ? done : `${username} n'a pas de validation en deux étapes.`];
      }
      const { key, expiresAt, username, ...account } = await issueAdministratorReset(em, kernel.context, terminal, email);
      return [
        { username, ...account, key, expires_at: expiresAt.toISOString() },
        [
          `Clé pour un nouveau mot de passe de ${username}, valable jusqu'au ${formatInstant(expiresAt)} :`,
          `  ${key}`,
          "Elle ne sera plus affichée. Elle sert une seule fois, sur la page /admin/mot-de-passe, et remplace celle d'avant.",
        ].join('\n'),
      ];
    });
  return admins;
}

function switchCommand(
  name: string,
  description: string,
  change: typeof disableAdministrator,
  done: (username: string) => string,
): Command {
  return new KernelCommand(name)
    .description(description)
    .argument(...address)
    .answers(async (kernel, email: string) => {
      const em = kernel.fork();
      const known = await findAdministrator(em, email);
      if (!known) throw new CliError("Aucun administrateur n'a cette adresse électronique.");
      const { id, username, disabledAt } = await change(em, kernel.context, terminal, known.id);
      return [{ id, username, email: known.email, disabled_at: disabledAt }, done(username)];
    });
}
