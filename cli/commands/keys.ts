import { type Command, Option } from 'commander';
import {
  describeKeys,
  issueKeys,
  keysDays,
  keysState,
  listKeys,
  maxKeysDays,
  revokeKeys,
  terminal,
} from '../../src/modules/identity/index.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { type AdministratorRole, administratorRoles } from '../../src/shared/forms/administrator.ts';
import { KernelCommand } from '../kernel-command.ts';
import { asColumns, cutTo, table } from '../output.ts';
import { parseDays, parseId, parseLimit } from '../parsers.ts';

export function keysCommand(): Command {
  const keys = new KernelCommand('keys').description("clés d'administration");

  keys
    .command('issue')
    .description("émet une paire de clés pour une inscription d'administrateur, et la montre une seule fois")
    .addOption(new Option('--role <rôle>', 'rôle du futur compte').choices([...administratorRoles]).makeOptionMandatory())
    .option('--days <n>', `durée de validité en jours, de 1 à ${maxKeysDays}`, parseDays(maxKeysDays), keysDays)
    .answers(async (kernel, { role, days }: { role: AdministratorRole; days: number }) => {
      const { adminKey1, adminKey2, expiresAt } = await issueKeys(kernel.fork(), kernel.context, terminal, { role, days });
      return [
        { adminKey1, adminKey2, role, expiresAt: expiresAt.toISOString() },
        [
          `Paire de clés pour un compte ${role}, valable jusqu'au ${formatDate(expiresAt)} :`,
          `  Clé d'administration 1 : ${adminKey1}`,
          `  Clé d'administration 2 : ${adminKey2}`,
          'Elles ne seront plus affichées. Elles servent une seule fois, sur la page /admin/inscription.',
        ].join('\n'),
      ];
    });

  keys
    .command('list')
    .description("liste les paires de clés, les plus récentes d'abord ; jamais les clés elles-mêmes")
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .answers(async (kernel, { limit }: { limit: number }) => {
      const now = kernel.clock.now();
      const rows = cutTo(await listKeys(kernel.fork(), now, limit + 1), limit);
      return [
        asColumns(rows.map((row) => ({ ...row, state: keysState(row, now) }))),
        table(
          ['Id', 'Rôle', 'Émise le', 'Par', 'État'],
          rows.map((row) => [row.id, row.role, formatDate(row.createdAt), row.issuedBy ?? 'terminal', describeKeys(row, now)]),
          'Aucune paire de clés.',
        ),
      ];
    });

  keys
    .command('revoke')
    .description("rend inutilisable une paire de clés qui n'a pas servi")
    .argument('<id>', 'identifiant de la paire, voir « keys list »', parseId)
    .answers(async (kernel, id: number) => {
      await revokeKeys(kernel.fork(), kernel.context, terminal, id);
      return [{ id, state: 'revoked' }, `Paire n° ${id} révoquée.`];
    });
  return keys;
}
