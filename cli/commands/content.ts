import { closeTextWorkers, formulaDrawing, publishAllDue } from '../../src/modules/content/index.ts';
import { kindDetails } from '../../src/shared/item-kinds.ts';
import { KernelCommand } from '../kernel-command.ts';

export function contentCommand(): KernelCommand {
  const content = new KernelCommand('content').description('contenus enregistrés');

  content
    .command('redraw')
    .description(
      'dessine à nouveau les formules des textes enregistrés, comme cette version le fait, sans rien changer à ce que les auteurs ont écrit (une fois après une mise à jour qui le demande)',
    )
    .option('--dry-run', 'compte seulement, ne change rien')
    .answers(async (kernel, { dryRun = false }: { dryRun?: boolean }) => {
      const { drawFormulasAnew } = await formulaDrawing();
      const report = await drawFormulasAnew(kernel.fork(), kernel.context, {
        dryRun,
        // Standard output carries only the counts.
        onLeft: ({ kind, itemId, titre, version }) =>
          console.error(`Laissé tel quel : ${kindDetails[kind].name} ${itemId}, « ${titre} », version ${version}`),
        ...(process.stderr.isTTY && { onProgress: (read: number) => process.stderr.write(`\r${read} texte(s) lu(s)`) }),
      });
      const { items, versions } = report;
      const done = dryRun ? 'à dessiner' : 'dessiné(s)';
      const left = items.left + versions.left;
      return [
        { ...report, dryRun },
        [
          `${items.read} contenu(s) avec des formules : ${items.changed} ${done} à nouveau.`,
          `${versions.read} version(s) gardée(s) avec des formules : ${versions.changed} ${dryRun ? done : 'dessinée(s)'} à nouveau.`,
          ...(left > 0 ? [`${left} laissé(s) tel(s) quel(s) : ouvrez-les dans l'éditeur et enregistrez-les.`] : []),
        ].join('\n'),
      ];
    });

  content
    .command('publish')
    .description("publie les brouillons dont l'heure est venue (le serveur le fait aussi, chaque minute)")
    .answers(async (kernel) => {
      const counts = await publishAllDue(kernel.fork, kernel.context).finally(closeTextWorkers);
      const { published, refused } = counts;
      const others = refused > 0 ? `, ${refused} refusé(s) : ils restent brouillons, et l'administration dit pourquoi` : '';
      return [counts, `${published} brouillon(s) publié(s)${others}.`];
    });
  return content;
}
