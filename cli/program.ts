import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { adminsCommand } from './commands/admins.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { contentCommand } from './commands/content.ts';
import { dbCommand } from './commands/db.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { enrolmentsCommand } from './commands/enrolments.ts';
import { examsCommand } from './commands/exams.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { learnersCommand } from './commands/learners.ts';
import { lettersCommand } from './commands/letters.ts';
import { maintenanceCommand } from './commands/maintenance.ts';
import { paymentsCommand } from './commands/payments.ts';
import { pruneCommand } from './commands/prune.ts';
import { pushCommand } from './commands/push.ts';
import { seedCommand } from './commands/seed.ts';
import { setupCommand } from './commands/setup.ts';
import { uploadsCommand } from './commands/uploads.ts';

const commands = [
  setupCommand,
  dbCommand,
  backupCommand,
  restoreCommand,
  seedCommand,
  importCommand,
  contentCommand,
  uploadsCommand,
  enrolmentsCommand,
  examsCommand,
  paymentsCommand,
  keysCommand,
  adminsCommand,
  accountsCommand,
  learnersCommand,
  maintenanceCommand,
  pruneCommand,
  pushCommand,
  lettersCommand,
  doctorCommand,
];

/** Returns the program `prepa` with every command and its French help. */
export function buildProgram(): Command {
  const program = new Command('prepa')
    .description('Administration de la plateforme depuis un terminal')
    .option('--json', 'répond en JSON, pour les machines');
  for (const command of commands) program.addCommand(command());
  program.addCommand(demoCommand(), { hidden: true });
  inFrench(program);
  return program;
}

/** Sets commander's own texts in French, for every command. */
function inFrench(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError('(« --help » décrit la commande)')
    .helpOption('-h, --help', "affiche l'aide")
    .usage(usage(command))
    .configureHelp({
      styleTitle: (title) =>
        ({
          'Usage:': 'Usage :',
          'Options:': 'Options :',
          'Commands:': 'Commandes :',
          'Arguments:': 'Arguments :',
          'Global Options:': 'Options générales :',
        })[title] ?? title,
      optionDescription: ({ description, argChoices, defaultValue }) => {
        const notes = [argChoices?.join(', '), defaultValue === undefined ? undefined : `${defaultValue} sans elle`].filter(Boolean);
        return notes.length === 0 ? description : `${description} (${notes.join(' ; ')})`;
      },
      showGlobalOptions: true,
    })
    .configureOutput({ outputError: (text, write) => write(translate(text)) });
  if (command.commands.length > 0) command.helpCommand(false);
  for (const child of command.commands) inFrench(child);
}

function usage(command: Command): string {
  if (command.commands.length > 0) return '[options] <commande>';
  const operands = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  return ['[options]', ...operands].join(' ');
}

function translate(text: string): string {
  return text
    .replace(/^error: unknown command '(.*?)'/, "commande inconnue : '$1'")
    .replace(/^error: unknown option '(.*?)'/, "option inconnue : '$1'")
    .replace(/^error: required option '(.*?)' not specified/, "option obligatoire manquante : '$1'")
    .replace(/^error: missing required argument '(.*?)'/, "argument manquant : '$1'")
    .replace(/^error: too many arguments.*/, "trop d'arguments")
    .replace(/^error: option '(.*?)' argument '(.*?)' is invalid\. (.*)/, "option '$1' : '$2' est incorrect. $3")
    .replace(/^error: command-argument value '(.*?)' is invalid for argument '(.*?)'\. (.*)/, "argument '$2' : '$1' est incorrect. $3")
    .replace(/^error: option '(.*?)' argument missing/, "option '$1' : valeur manquante")
    .replace(/Allowed choices are (.*)\./, 'Au choix : $1.')
    .replace(/\(Did you mean (?:one of )?(.*)\?\)/, '(vouliez-vous dire : $1 ?)');
}
