import type { Command } from 'commander';
import {
  disableAdministrator,
  enableAdministrator,
  findAdministrator,
  listAdministrators,
  terminal,
} from '../../src/modules/identity/index.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { CliError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { asColumns, table } from '../output.ts';

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
    .argument('<adresse>', "adresse électronique de l'administrateur")
    .answers(async (kernel, email: string) => {
      const em = kernel.fork();
      const known = await findAdministrator(em, email);
      if (!known) throw new CliError("Aucun administrateur n'a cette adresse électronique.");
      const { id, username, disabledAt } = await change(em, kernel.context, terminal, known.id);
      return [{ id, username, email: known.email, disabled_at: disabledAt }, done(username)];
    });
}
