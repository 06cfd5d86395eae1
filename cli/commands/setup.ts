import { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { createNamedRoles, grantToNamedRoles } from '../../src/database-roles.ts';
import { createKernel } from '../../src/kernel.ts';
import { migrateDatabase } from '../../src/migrations.ts';
import { issueKeys, keysDays, listAdministrators, terminal } from '../../src/modules/identity/index.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { CliError, usageError } from '../failure.ts';
import { answer } from '../output.ts';
import { askForQuietLog } from '../quiet-log.ts';
import { answerQuestions } from '../setup/dialogue.ts';
import { besides, fromEnvironment, ofTheProcess, unknownNames, withSecretsRead } from '../setup/given.ts';
import { openPrompt } from '../setup/prompt.ts';
import { faultsOf, filesOf, withDrawn } from '../setup/settings.ts';
import { earlierKey, existing, requireWritable, textOf, writeSettings } from '../setup/settings-file.ts';
import { drawnRoles } from '../setup/world.ts';

interface SetupOptions {
  folder: string;
  set?: Record<string, string>;
  yes?: true;
  anyway?: true;
  overwrite?: true;
}

/** Collects each `--set NAME=VALUE`. The initial value is no default of the option, because the help would show it. */
function parseSetting(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw usageError('--set attend NOM=VALEUR.');
  return { ...before, [name]: value };
}

export const setupCommand = (): Command =>
  new Command('setup')
    .description(
      'prépare la production : pose les questions, vérifie chaque réponse, écrit les réglages, applique les migrations et émet les premières clés',
    )
    .option('--folder <dossier>', 'où les réglages sont écrits', '/etc/prepa')
    .option(
      '--set <NOM=VALEUR>',
      `un réglage de .env.example, avant celui de l'environnement ; les secrets plutôt par l'environnement, que personne d'autre ne lit (${ofTheProcess.join(', ')} n'en sont jamais pris)`,
      parseSetting,
    )
    .option('--yes', "ne demande rien : ce que --set et l'environnement ne disent pas prend sa valeur habituelle")
    .option('--anyway', "écrit aussi quand le monde n'est pas encore prêt (nom de domaine, messagerie, prestataire)")
    .option('--overwrite', "remplace des réglages déjà écrits ; les anciens restent à côté, avec l'heure dans leur nom")
    .action(async (options: SetupOptions, command: Command) => {
      const unknown = unknownNames(options.set ?? {});
      if (unknown.length > 0) throw usageError(`Réglages inconnus : ${unknown.join(', ')}. .env.example les nomme tous.`);
      const now = new Date();
      await requireWritable(options.folder);
      const blank = filesOf({});
      const there = await existing(options.folder, blank);
      if (there.length > 0 && !options.overwrite)
        throw new CliError(`Déjà écrit : ${there.join(', ')}. Rien n'est changé ; --overwrite les remplace et garde les anciens à côté.`);
      const { settings, secretFiles } = await gather(options);
      const owner = settings.MIGRATIONS_DATABASE_URL ?? '';
      const files = filesOf(settings, secretFiles);
      // Throws for a value that a settings file cannot hold, before anything is changed.
      files.map(textOf);

      const config = loadConfig(settings, 'commands');
      const applied = await migrateDatabase(owner);
      // The settings are written before the roles are created: their random passwords exist nowhere else.
      const written = await writeSettings(options.folder, files, now);
      const created = await createNamedRoles(config, owner);
      const { logPermission } = await grantToNamedRoles(config, owner);
      const keys = await firstKeys(settings);
      answer(
        command,
        { files: written, applied, roles: created, ...(logPermission && { logPermission }), keys },
        [
          `Réglages écrits : ${written.join(', ')}.`,
          applied.length === 0 ? 'La base est à jour.' : `${applied.length} migration(s) appliquée(s).`,
          ...created.map((role) => `Rôle créé : ${role}`),
          ...askForQuietLog(logPermission),
          ...(keys
            ? [
                `Paire de clés du premier super administrateur, valable jusqu'au ${formatDate(new Date(keys.expiresAt))} :`,
                `  Clé d'administration 1 : ${keys.adminKey1}`,
                `  Clé d'administration 2 : ${keys.adminKey2}`,
                `Elles ne seront plus affichées. Elles servent une seule fois, sur ${settings.ADMIN_URL ?? settings.PUBLIC_URL}/admin/inscription.`,
              ]
            : ['Il y a déjà un administrateur : aucune clé émise (« prepa keys issue »).']),
        ].join('\n'),
      );
    });

/** Collects the settings and checks them, also with external services. @throws CliError when production would refuse them */
async function gather({ folder, set = {}, yes, anyway }: SetupOptions) {
  const taken = besides(set, fromEnvironment(process.env));
  if (Object.keys(taken).length > 0) process.stderr.write(`Pris de l'environnement : ${Object.keys(taken).join(', ')}.\n`);
  const given = { ...taken, ...set };
  const prompt = yes ? null : openPrompt();
  try {
    const always = { NODE_ENV: 'production', TRUST_PROXY: 'loopback', DATA_DIR: '/var/lib/prepa', ...(await earlierKey(folder)) };
    const { settings: known, secretFiles } = withSecretsRead({ ...besides(given, always), ...given });
    const answered = await answerQuestions(known, { prompt, anyway: anyway ?? false });
    const { settings, drawnRoles: names } = withDrawn(answered);
    const faults = [...faultsOf(settings), ...(await drawnRoles(settings.MIGRATIONS_DATABASE_URL ?? '', names)).map(({ text }) => text)];
    if (faults.length > 0) throw new CliError(["Rien n'a été écrit :", ...faults.map((fault) => `  ${fault}`)].join('\n'));
    if (prompt && !/^(o|oui)?$/i.test(await prompt.ask('Écrire les réglages et préparer la base ? [O/n] ')))
      throw new CliError("Rien n'a été écrit.");
    return { settings, secretFiles };
  } finally {
    prompt?.close();
  }
}

/** Issues the keys for the first administrator. Returns null if an administrator exists. */
async function firstKeys(settings: Readonly<Record<string, string>>) {
  const config = loadConfig(settings, 'commands');
  const kernel = await createKernel(config, {
    databaseUrl: config.commandsDatabaseUrl ?? config.databaseUrl ?? '',
    log: createLog('error', process.stderr),
  });
  try {
    if ((await listAdministrators(kernel.fork())).length > 0) return null;
    const { adminKey1, adminKey2, expiresAt } = await issueKeys(kernel.fork(), kernel.context, terminal, {
      role: 'super_admin',
      days: keysDays,
    });
    return { adminKey1, adminKey2, expiresAt: expiresAt.toISOString() };
  } finally {
    await kernel.close();
  }
}
