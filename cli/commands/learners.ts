import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { listForOperator } from '../../src/modules/enrolment/index.ts';
import { blockLearner, eraseLearner, exportLearner, findLearner, terminal, unblockLearner } from '../../src/modules/identity/index.ts';
import { formatDate } from '../../src/shared/dates.ts';
import { CliError, usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';

const address = ['<adresse>', 'adresse électronique du candidat'] as const;
/** Maximum number of enrolments listed in the confirmation question. */
const maxNamed = 20;

export function learnersCommand(): Command {
  const learners = new KernelCommand('learners').description('ce qui est gardé des candidats');

  learners
    .command('export')
    .description("tout ce qui est gardé à propos d'un candidat, en JSON (voir docs/privacy.md)")
    .argument(...address)
    .option('--output <fichier>', "l'écrit dans ce nouveau fichier, que seul son propriétaire peut lire")
    .answers(async (kernel, email: string, { output }: { output?: string }) => {
      const all = await exportLearner(kernel.fork(), kernel.context, terminal, email);
      const text = JSON.stringify(all, null, 2);
      if (output === undefined) return [all, text];
      await writeFile(output, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw new CliError(`Le fichier ${output} existe déjà.`);
        throw new CliError(`Impossible d'écrire ${output} (${error.code}).`);
      });
      return [{ output }, `Tout ce qui est gardé à propos de ce candidat est dans ${output}.`];
    });

  learners
    .command('erase')
    .description("efface un candidat pour toujours : son compte, ses lectures et ses messages ; l'argent reste, sans son nom")
    .argument(...address)
    .option('--yes', "sans cette option, rien n'est effacé")
    .answers(async (kernel, email: string, { yes = false }: { yes?: boolean }) => {
      if (!yes) {
        const learner = await findLearner(kernel.fork(), email);
        if (!learner) throw new CliError("Aucun compte de candidat n'a cette adresse électronique.");
        const enrolments = await listForOperator(kernel.fork(), { email, limit: maxNamed });
        const lost = enrolments
          .filter(({ statut, dateExpiration }) => statut === 'active' && dateExpiration > kernel.clock.now())
          .map(({ prepaNom, dateExpiration }) => `« ${prepaNom} » jusqu'au ${formatDate(dateExpiration)}`);
        const access = lost.length > 0 ? `\nIl perdra son accès à ${lost.join(', ')}.` : '';
        throw usageError(
          `Effacer ${learner.username} (${learner.email}) pour toujours ? Personne ne pourra le rétablir.${access}\nRien n'a été effacé : ajoutez --yes.`,
        );
      }
      const { id, erasedAt } = await eraseLearner(kernel.fork(), kernel.context, terminal, email);
      return [
        { id, erased_at: erasedAt.toISOString() },
        "Ce compte est effacé. Les sauvegardes d'avant le contiennent encore, jusqu'à la fin de leur conservation.",
      ];
    });

  const blocked = (username: string) =>
    `Le compte de ${username} est bloqué, ses sessions sont terminées. Ses accès et ses paiements restent.`;
  learners.addCommand(
    switchCommand('block', 'bloque un compte : plus de connexion, et ses sessions se terminent aussitôt', blockLearner, blocked),
  );
  const back = (username: string) => `Le compte de ${username} n'est plus bloqué.`;
  learners.addCommand(switchCommand('unblock', 'débloque un compte', unblockLearner, back));
  return learners;
}

function switchCommand(name: string, description: string, change: typeof blockLearner, done: (username: string) => string): Command {
  return new KernelCommand(name)
    .description(description)
    .argument(...address)
    .requiredOption('--reason <texte>', 'la raison, qui reste dans le journal')
    .answers(async (kernel, email: string, { reason }: { reason: string }) => {
      const em = kernel.fork();
      const known = await findLearner(em, email);
      if (!known) throw new CliError("Aucun compte de candidat n'a cette adresse électronique.");
      const { id, username, blockedAt } = await change(em, kernel.context, terminal, known.id, { raison: reason });
      return [{ id, username, email: known.email, blocked_at: blockedAt }, done(username)];
    });
}
