import { join } from 'node:path';
import { Command } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { openDataFolder } from '../../src/platform/data-folder.ts';
import { migrationStatus } from '../../src/platform/migration-status.ts';
import { answer, withKernel } from '../door.ts';
import { explain } from '../failure.ts';

interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('vérifie les réglages, la base de données, les dossiers, le prestataire de paiement et la messagerie')
    .action(async (_options, command: Command) => {
      const checks: Check[] = [];
      loadConfig();
      checks.push({ name: 'Réglages', ok: true, detail: 'lus sans faute' });
      await withKernel(async (kernel) => {
        checks.push(
          await database(kernel),
          await migrations(kernel),
          await uploads(kernel),
          await provider(kernel),
          await letters(kernel),
          await overdue(kernel),
        );
      });
      const healthy = checks.every(({ ok }) => ok);
      answer(command, { ok: healthy, checks }, () =>
        checks.map(({ name, ok, detail }) => `${ok ? 'ok   ' : 'FAUTE'}  ${name} : ${detail}`).join('\n'),
      );
      if (!healthy) process.exitCode = 1;
    });
}

async function attempt(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await check() };
  } catch (error) {
    return { name, ok: false, detail: explain(error) };
  }
}

const database = ({ orm }: Kernel) =>
  attempt('Base de données', async () => {
    const [row] = await orm.em.getConnection().execute<{ version: string }[]>("select current_setting('server_version') as version");
    return `PostgreSQL ${row?.version}`;
  });

const migrations = ({ orm }: Kernel) =>
  attempt('Migrations', async () => {
    const { pending } = await migrationStatus(orm);
    if (pending.length > 0) throw new Error(`${pending.length} à appliquer : « prepa db migrate »`);
    return 'à jour';
  });

const uploads = ({ config }: Kernel) =>
  attempt('Dossier des fichiers', async () => {
    return `${await openDataFolder(join(config.dataDir, 'media'))} accessible en écriture`;
  });

const provider = ({ config }: Kernel) =>
  attempt('Prestataire de paiement', async () => {
    const answer = await fetch(config.zitopay.scriptUrl, { signal: AbortSignal.timeout(config.zitopay.timeoutMs) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${new URL(config.zitopay.scriptUrl).host} répond ${answer.status}`);
    return `${new URL(config.zitopay.scriptUrl).host} répond`;
  });

const letters = ({ mailer }: Kernel) =>
  attempt('Messagerie', async () => {
    if (!mailer) throw new Error("SMTP_URL n'est pas réglé : un mot de passe oublié ne se remplace qu'en écrivant au support");
    return mailer.check();
  });

const overdue = ({ orm, clock }: Kernel) =>
  attempt('Paiements en attente', async () => {
    const hourAgo = new Date(clock.now().getTime() - 3_600_000);
    const [row] = await orm.em
      .getConnection()
      .execute<{ count: string }[]>('select count(*) from payment where next_check_at < ?', [hourAgo]);
    if (Number(row?.count) > 0) throw new Error(`${row?.count} vérification(s) en retard : « prepa payments reconcile »`);
    return 'aucune vérification en retard';
  });
