import { Command, Option } from 'commander';
import { closeTextWorkers, contentFolders } from '../../src/modules/content/index.ts';
import { itemKinds, kindDetails } from '../../src/shared/item-kinds.ts';
import { answer } from '../output.ts';
import { parseId } from '../parsers.ts';
import { openPrompt } from '../setup/prompt.ts';
import { withKernel } from '../with-kernel.ts';

type Report = Awaited<ReturnType<Awaited<ReturnType<typeof contentFolders>>['importDrafts']>>;

interface Options {
  discipline: number;
  type: string;
  split?: boolean;
  replace?: boolean;
  dryRun?: boolean;
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      "fait de chaque fichier d'un dossier un brouillon (Word, Markdown, TeX, Moodle XML, GIFT, AMC-TXT, Aiken) ; rien n'est publié",
    )
    .argument('<dossier>', "dossier de fichiers, pris dans l'ordre de leurs noms : « 2 » avant « 10 »")
    .requiredOption('--discipline <id>', 'identifiant de la discipline', parseId)
    .addOption(
      new Option('--type <type>', 'ce que sont les fichiers').choices(itemKinds.map((kind) => kindDetails[kind].path)).default('lecons'),
    )
    .option('--split', "avec --type exercices : fait de chaque exercice d'un fichier, avec son corrigé, un brouillon")
    .option('--replace', 'remplace les brouillons venus des mêmes fichiers ; sans elle, un terminal demande')
    .option('--dry-run', "lit et rapporte seulement, n'enregistre rien")
    .action(async (folder: string, { discipline, type, split = false, replace = false, dryRun = false }: Options, command: Command) => {
      const json = Boolean(command.optsWithGlobals().json);
      const kind = itemKinds.find((one) => kindDetails[one].path === type) ?? 'course';
      const { importDrafts } = await contentFolders();
      await withKernel(async (kernel) => {
        const report = await importDrafts(kernel.fork(), kernel.context, folder, {
          disciplineId: discipline,
          kind,
          dryRun,
          split,
          mayReplace: async (files) => replace || (!json && Boolean(process.stdin.isTTY) && (await asks(files))),
          ...(process.stderr.isTTY && { onProgress: showProgress }),
        }).finally(closeTextWorkers);
        if (report.refused.length > 0) process.exitCode = 1;
        answer(command, { ...report, dryRun }, textOf(report, dryRun));
      });
    });
}

/** Names the files that have drafts already, and asks whether these are replaced. */
async function asks(files: readonly string[]): Promise<boolean> {
  const prompt = openPrompt();
  try {
    prompt.say(`Des brouillons viennent déjà de ces fichiers : ${files.map(printable).join(', ')}.`);
    return /^o(ui)?$/i.test((await prompt.ask('Remplacer leurs textes ? [o/N] ')).trim());
  } finally {
    prompt.close();
  }
}

function showProgress(done: number, total: number, file: string): void {
  process.stderr.write(`\r\u001b[K${done}/${total} ${printable(file)}${done === total ? '\n' : ''}`);
}

function textOf({ imported, refused, ignored }: Report, dryRun: boolean): string {
  const replaced = imported.filter((file) => file.replaced).length;
  return [
    ...imported.flatMap(({ file, titre, remarques }) => [
      `ok      ${file} : ${titre ? `« ${titre} »` : 'sans titre'}`,
      ...remarques.map((remark) => `        ${remark}`),
    ]),
    ...refused.map(({ file, reason }) => `REFUS   ${file} : ${reason}`),
    ...ignored.map((file) => `ignoré  ${file}`),
    `${imported.length} brouillon(s) ${dryRun ? 'à enregistrer' : 'enregistré(s)'}, dont ${replaced} remplacé(s) ; ${refused.length} fichier(s) refusé(s).`,
  ]
    .map(printable)
    .join('\n');
}

/** Returns a text without control characters, which names of files may hold. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');
