import { Command } from 'commander';
import { allChecks } from '../checks/all-checks.ts';
import { runChecks } from '../checks/check.ts';
import { settingsLines } from '../checks/site/settings.ts';
import { answer } from '../output.ts';
import { withKernel } from '../with-kernel.ts';

/** Timeout of a statement, in ms. It is shorter than a check's, so that a hanging statement ends before its check. */
const statementMs = 5_000;

const marks = { ok: 'ok   ', avis: 'AVIS ', faute: 'FAUTE' };

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      "vérifie les réglages, la base de données, l'horloge, les dossiers, les prestataires de paiement, les vérifications en attente et la messagerie",
    )
    .option('--strict', "finit par une erreur pour un simple avis aussi, quand il ne manque qu'une partie facultative")
    .action(async ({ strict = false }: { strict?: boolean }, command: Command) => {
      const lines = settingsLines();
      let areLate = false;
      // The checks need valid settings.
      if (lines.every(({ ok }) => ok)) {
        const found = await withKernel((kernel) => runChecks(allChecks(kernel), kernel), { brief: true, statementMs });
        lines.push(...found.lines);
        areLate = found.areLate;
      }
      const healthy = lines.every(({ state }) => state === 'ok' || (state === 'avis' && !strict));
      answer(
        command,
        { ok: healthy, checks: lines },
        lines.map(({ name, state, detail }) => `${marks[state]}  ${name} : ${detail}`).join('\n'),
      );
      if (!healthy) process.exitCode = 1;
      // A connection that has not responded would keep the process alive.
      if (areLate) process.exit();
    });
}
