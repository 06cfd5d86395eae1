import { join } from 'node:path';
import { Command } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import { lastPassAt, type PaymentProviders, paymentHealth } from '../../src/modules/payment/index.ts';
import { migrationStatus } from '../../src/platform/database/migration-status.ts';
import { openDataFolder } from '../../src/platform/settings/data-folder.ts';
import { clockDifference, describeClockDifference, maxClockDifferenceMs } from '../../src/platform/use-cases/clock-check.ts';
import { formatInstant } from '../../src/shared/dates.ts';
import { productionChecks, settingsChecks } from '../checks/production.ts';
import { explain } from '../failure.ts';
import { answer } from '../output.ts';
import { withKernel } from '../with-kernel.ts';

interface Check {
  name: string;
  ok: boolean;
  warning?: true;
  detail: string;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      "vérifie les réglages, la base de données, l'horloge, les dossiers, les prestataires de paiement, les vérifications en attente et la messagerie",
    )
    .action(async (_options, command: Command) => {
      const checks: Check[] = settingsChecks();
      // Nothing else can be looked at with wrong ones.
      if (checks.every(({ ok }) => ok))
        await withKernel(
          async (kernel) => {
            checks.push(
              await database(kernel),
              await migrations(kernel),
              await uploads(kernel),
              ...(await Promise.all(kernel.providers.list().map(provider))),
              await letters(kernel),
              await overdue(kernel),
              await reconciled(kernel),
              await clock(kernel),
              ...(await productionChecks(kernel)),
            );
          },
          { brief: true },
        );
      const healthy = checks.every(({ ok }) => ok);
      answer(
        command,
        { ok: healthy, checks },
        checks.map(({ name, ok, warning, detail }) => `${warning ? 'AVIS ' : ok ? 'ok   ' : 'FAUTE'}  ${name} : ${detail}`).join('\n'),
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

const clock = ({ fork }: Kernel) =>
  attempt('Horloge', async () => {
    const difference = await clockDifference(fork());
    if (Math.abs(difference) > maxClockDifferenceMs) throw new Error(describeClockDifference(difference));
    return "à l'heure de la base de données";
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

/** What each provider must answer for payments to begin: a script without which there is no widget, or an interface that knows our key. */
const provider = ({ slug, widgetScript, addresses: [api], timeoutMs }: PaymentProviders['default']) =>
  attempt(`Prestataire de paiement ${slug}`, async () => {
    const address = widgetScript ?? api;
    const { host } = new URL(address);
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.body?.cancel();
    // Without a script to fetch, any answer shows that it can be reached.
    if (address !== api && !answer.ok) throw new Error(`${host} répond ${answer.status}`);
    return `${host} répond`;
  });

const letters = ({ mailer }: Kernel) =>
  attempt('Messagerie', async () => {
    if (!mailer) throw new Error("SMTP_URL n'est pas réglé : un mot de passe oublié ne se remplace qu'en écrivant au support");
    return mailer.check();
  });

const overdue = ({ fork, clock }: Kernel) =>
  attempt('Paiements en attente', async () => {
    const { overdue: late, oldPending, inReview, partlyRefunded } = await paymentHealth(fork(), clock.now());
    if (late > 0) throw new Error(`${late} vérification(s) en retard : « prepa payments reconcile »`);
    return `aucune vérification en retard, ${oldPending} paiement(s) sans issue depuis plus de 30 minutes, ${inReview} à l'examen, ${partlyRefunded} remboursé(s) en partie à regarder`;
  });

const minute = 60_000;

/** Whether anybody asks the providers: a server, a `--watch`, cron. A pass may take its time, and a pause may be long. */
const reconciled = ({ fork, clock, config }: Kernel) =>
  attempt('Rapprochement des paiements', async () => {
    const oldAfter = Math.max(10 * minute, 3 * config.reconcile.everySeconds * 1000);
    const last = await lastPassAt(fork());
    const way = 'laissez RECONCILE_PAYMENTS=on au serveur, ou lancez « prepa payments reconcile »';
    if (!last) throw new Error(`aucun passage encore : ${way}`);
    if (clock.now().getTime() - last.getTime() > oldAfter) throw new Error(`le dernier passage date du ${formatInstant(last)} : ${way}`);
    return `dernier passage le ${formatInstant(last)}`;
  });
