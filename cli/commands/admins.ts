import { Command } from 'commander';
import {
  disableAdministrator,
  enableAdministrator,
  findAdministrator,
  listAdministrators,
  terminal,
} from '../../src/modules/identity/index.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { CliError } from '../failure.ts';
import { answer, table } from '../output.ts';
import { withKernel } from '../with-kernel.ts';

export function adminsCommand(): Command {
  const admins = new Command('admins').description('administrateurs');

  admins
    .command('list')
    .description('liste les administrateurs, les comptes désactivés à la fin')
    .action(async (_options, command: Command) => {
      await withKernel(async (kernel) => {
        const rows = await listAdministrators(kernel.fork());
        answer(command, rows, () =>
          rows.length === 0
            ? 'Aucun administrateur.'
            : table(
                ['Nom', 'E-mail', 'Rôle', 'Depuis', 'État'],
                rows.map((row) => [
                  row.username,
                  row.email,
                  row.role,
                  formatDate(row.created_at),
                  row.disabled_at ? `désactivé le ${formatDate(row.disabled_at)}` : 'actif',
                ]),
              ),
        );
      });
    });

  admins.addCommand(
    switchCommand('disable', 'désactive un compte : plus de connexion, et ses sessions se terminent aussitôt', {
      change: disableAdministrator,
      done: (username) => `Le compte de ${username} est désactivé, ses sessions sont terminées.`,
    }),
  );
  admins.addCommand(
    switchCommand('enable', 'réactive un compte désactivé', {
      change: enableAdministrator,
      done: (username) => `Le compte de ${username} est réactivé.`,
    }),
  );
  return admins;
}

interface Switch {
  change: typeof disableAdministrator;
  done: (username: string) => string;
}

function switchCommand(name: string, description: string, { change, done }: Switch): Command {
  return new Command(name)
    .description(description)
    .argument('<adresse>', "adresse électronique de l'administrateur")
    .action(async (email: string, _options, command: Command) => {
      await withKernel(async (kernel) => {
        const em = kernel.fork();
        const known = await findAdministrator(em, email);
        if (!known) throw new CliError("Aucun administrateur n'a cette adresse électronique.");
        const { id, username, disabledAt } = await change(em, kernel.context, terminal, known.id);
        answer(command, { id, username, email: known.email, disabled_at: disabledAt }, () => done(username));
      });
    });
}
