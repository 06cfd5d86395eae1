import { Argument, InvalidArgumentError } from 'commander';
import type { Kernel } from '../../src/kernel.ts';
import { findLearner, terminal } from '../../src/modules/identity/index.ts';
import {
  checkSeal,
  correctQuestion,
  countExam,
  decideLate,
  findChoices,
  findExam,
  findReceipt,
  listExams,
  listLate,
  listQuestions,
  markExam,
  maxLate,
  publishResults,
} from '../../src/modules/questions/index.ts';
import { formatInstant } from '../../src/shared/dates.ts';
import { examState, examStateNames } from '../../src/shared/exams/exam-state.ts';
import { type QuestionStanding, standingNames } from '../../src/shared/exams/exam-words.ts';
import type { QuestionKey } from '../../src/shared/questions/question-keys.ts';
import { CliError, usageError } from '../failure.ts';
import { KernelCommand } from '../kernel-command.ts';
import { asColumns, cutTo, table } from '../output.ts';
import { parseId, parseLimit, parseReason } from '../parsers.ts';

const exam = () => new Argument('<id>', 'numéro du concours blanc').argParser(parseId);
const question = () => new Argument('<question>', 'numéro de la question dans le sujet').argParser(parseId);
const reason = ['--reason <texte>', 'raison, que les candidats lisent avec leur résultat', parseReason] as const;

/** `prepa exams`: what the administration does with mock exams, for an operator without a browser. */
export function examsCommand(): KernelCommand {
  const exams = new KernelCommand('exams').description('concours blancs');

  exams
    .command('list')
    .description("liste les concours blancs, les plus récents d'abord")
    .option('--limit <n>', 'nombre de lignes', parseLimit, 50)
    .answers(async (kernel, { limit }: { limit: number }) => {
      const now = kernel.clock.now();
      const rows = cutTo(await listExams(kernel.fork(), { limit: limit + 1 }), limit).map((row) => ({
        ...row,
        state: examState(row, now),
      }));
      return [
        asColumns(rows),
        table(
          ['Id', 'Titre', 'Préparation', 'État', 'Ouverture', 'Fermeture'],
          rows.map((row) => [
            row.id,
            row.titre,
            row.prepaNom,
            examStateNames[row.state],
            formatInstant(row.opensAt),
            formatInstant(row.closesAt),
          ]),
          'Aucun concours blanc.',
        ),
      ];
    });

  exams
    .command('show')
    .description("l'état d'un concours blanc, et ses chiffres en ce moment")
    .addArgument(exam())
    .answers(async (kernel, id: number) => {
      const found = await requireExam(kernel, id);
      const now = kernel.clock.now();
      const numbers = await countExam(kernel.fork(), id, now);
      const state = examState(found, now);
      const lines = [
        `« ${found.titre} » (${found.prepaNom}) : ${examStateNames[state]}.`,
        `Du ${formatInstant(found.opensAt)} au ${formatInstant(found.closesAt)}, ${found.duree} min, délai de réception ${found.grace} min.`,
        `${numbers.begun} ont commencé, ${numbers.sitting} composent, ${numbers.handedIn} copies remises, ${numbers.bySite} remises par le site.`,
        `${numbers.late} en retard, dont ${numbers.waiting} à décider. ${numbers.batches} envois de réponses en 1 min${numbers.lastBatchAt ? `, le dernier le ${formatInstant(numbers.lastBatchAt)}` : ''}.`,
      ];
      const [row] = asColumns([{ ...found, state, ...numbers }]);
      return [row, lines.join('\n')];
    });

  exams
    .command('seal-check')
    .description("ouvre le sujet scellé avec sa clé, comme un téléphone, et le compare aux épreuves (n'affiche rien du sujet)")
    .addArgument(exam())
    .answers(async (kernel, id: number) => {
      if (!(await requireExam(kernel, id)).announcedAt)
        throw new CliError("Ce concours blanc n'est pas annoncé : il n'a pas encore de sujet scellé.");
      const { fault, octets, questions } = await checkSeal(kernel.fork(), id);
      if (fault !== null) throw new CliError(`Concours blanc ${id} : ${fault}.`);
      return [{ id, octets, questions }, `Le sujet s'ouvre : ${questions} question(s), ${octets} octets à télécharger.`];
    });

  exams
    .command('mark')
    .description('corrige les copies, une fois le délai de réception passé ; de nouveau autant de fois que nécessaire')
    .addArgument(exam())
    .answers(async (kernel, id: number) => {
      const { candidates } = await markExam(kernel.fork(), kernel.context, id, terminal);
      return [{ id, candidates }, `${candidates} copie(s) corrigée(s).`];
    });

  exams
    .command('publish')
    .description('publie les résultats ; les candidats sont prévenus')
    .addArgument(exam())
    .answers(async (kernel, id: number) => {
      await publishResults(kernel.fork(), kernel.context, terminal, id);
      return [{ id }, 'Résultats publiés.'];
    });

  exams.addCommand(standingCommand('neutralise', 'neutralise une question : elle ne compte pour personne', 'neutralised'));
  exams.addCommand(standingCommand('give', "donne le point d'une question à tous", 'given'));
  exams.addCommand(standingCommand('count', 'compte de nouveau une question, par sa réponse attendue', 'counted'));

  exams
    .command('key')
    .description("change la réponse attendue d'une question")
    .addArgument(exam())
    .addArgument(question())
    .requiredOption(...reason)
    .option('--choices <lettres>', 'choix justes, par leurs lettres dans le sujet : A,C', parseLetters)
    .option('--value <nombre>', "valeur attendue d'un nombre")
    .option('--tolerance <tolérance>', "tolérance d'un nombre : 0,1 ou 2 %")
    .option('--accepted <texte...>', "réponses acceptées d'un texte court")
    .answers(async (kernel, examId: number, position: number, { reason, ...given }: KeyOptions) => {
      const found = await requireQuestion(kernel, examId, position);
      const key = await keyOf(kernel, examId, found, given);
      await correctQuestion(kernel.fork(), kernel.context, terminal, {
        examId,
        questionId: found.questionId,
        standing: 'counted',
        key,
        reason,
      });
      return [{ id: examId, question: position }, `Question ${position} : réponse attendue corrigée.`];
    });

  exams
    .command('late')
    .description('copies arrivées après le délai : les liste, en accepte ou en refuse une')
    .addArgument(exam())
    .option('--accept <adresse>', 'accepte la copie du candidat de cette adresse électronique')
    .option('--refuse <adresse>', 'refuse la copie du candidat de cette adresse électronique')
    .answers(async (kernel, examId: number, { accept, refuse }: { accept?: string; refuse?: string }) => {
      await requireExam(kernel, examId);
      if (accept !== undefined && refuse !== undefined) throw usageError('« --accept » et « --refuse » ne vont pas ensemble.');
      const email = accept ?? refuse;
      if (email === undefined) {
        const rows = cutTo(await listLate(kernel.fork(), examId), maxLate);
        const names = { waiting: 'à décider', accepted: 'acceptée', refused: 'refusée' };
        return [
          asColumns(rows),
          table(
            ['Candidat', 'Fin de son temps', 'Arrivé le', 'Réponses', 'Décision'],
            rows.map((row) => [
              row.email,
              formatInstant(new Date(row.endsAt)),
              row.lastReceivedAt && formatInstant(new Date(row.lastReceivedAt)),
              row.answers,
              names[row.late],
            ]),
            'Aucune copie en retard.',
          ),
        ];
      }
      const learner = await findLearner(kernel.fork(), email);
      if (!learner) throw new CliError("Aucun compte de candidat n'a cette adresse électronique.");
      const accepted = accept !== undefined;
      await decideLate(kernel.fork(), kernel.context, terminal, { examId, userId: learner.id, accepted });
      return [{ id: examId, email: learner.email, accepted }, `Copie ${accepted ? 'acceptée' : 'refusée'}.`];
    });

  exams
    .command('receipt')
    .description("trouve la copie d'un reçu, pour un candidat qui dit que la sienne est perdue")
    .addArgument(exam())
    .argument('<reçu>', 'les huit lettres que le candidat a vues : BX4T-9KQZ', parseReceipt)
    .answers(async (kernel, examId: number, receipt: string) => {
      await requireExam(kernel, examId);
      const rows = await findReceipt(kernel.fork(), examId, receipt);
      if (rows.length === 0) throw new CliError(`Aucune copie de ce concours blanc n'a le reçu ${receipt}.`);
      return [
        asColumns(rows),
        table(
          ['Candidat', 'Nom', 'Remise le', 'Envois', 'Réponses reçues', 'Dont après la remise'],
          rows.map((row) => [row.email, row.username, formatInstant(new Date(row.handedInAt)), row.batches, row.answers, row.after]),
        ),
      ];
    });
  return exams;
}

interface KeyOptions {
  reason: string;
  choices?: string[];
  value?: string;
  tolerance?: string;
  accepted?: string[];
}

function standingCommand(name: string, description: string, standing: QuestionStanding): KernelCommand {
  return new KernelCommand(name)
    .description(description)
    .addArgument(exam())
    .addArgument(question())
    .requiredOption(...reason)
    .answers(async (kernel, examId: number, position: number, options: { reason: string }) => {
      const { questionId } = await requireQuestion(kernel, examId, position);
      await correctQuestion(kernel.fork(), kernel.context, terminal, { examId, questionId, standing, reason: options.reason });
      return [{ id: examId, question: position, standing }, `Question ${position} : ${standingNames[standing].toLowerCase()}.`];
    });
}

async function requireExam(kernel: Kernel, id: number) {
  const found = await findExam(kernel.fork(), id);
  if (!found) throw new CliError("Aucun concours blanc n'a ce numéro : « prepa exams list » les nomme.");
  return found;
}

async function requireQuestion(kernel: Kernel, examId: number, position: number) {
  if (!(await requireExam(kernel, examId)).announcedAt)
    throw new CliError("Ce concours blanc n'est pas annoncé : modifiez la série elle-même.");
  const found = (await listQuestions(kernel.fork(), examId)).find((row) => row.position === position);
  if (!found) throw new CliError(`Ce concours blanc n'a pas de question ${position}.`);
  return found;
}

type Question = Awaited<ReturnType<typeof requireQuestion>>;

/** Returns the corrected parts of a key. @throws CliError with exit code 2 when the options do not fit the kind of the question */
async function keyOf(kernel: Kernel, examId: number, found: Question, given: Omit<KeyOptions, 'reason'>): Promise<Partial<QuestionKey>> {
  const { kind } = found.key;
  const { choices, value, tolerance, accepted } = given;
  const isChoice = kind === 'one' || kind === 'several';
  const fits = [
    choices === undefined || isChoice,
    (value === undefined && tolerance === undefined) || kind === 'number',
    accepted === undefined || kind === 'text',
    Object.values(given).some((option) => option !== undefined),
  ].every(Boolean);
  if (!fits) {
    const needed = isChoice ? '--choices' : kind === 'number' ? '--value ou --tolerance' : '--accepted';
    throw usageError(`Cette question demande ${needed}.`);
  }
  if (choices === undefined) {
    return {
      ...(value !== undefined && { value }),
      ...(tolerance !== undefined && { tolerance }),
      ...(accepted !== undefined && { accepted }),
    };
  }
  const ids = await choiceIds(kernel, examId, found);
  return {
    right: choices.map((letter) => {
      const id = ids.get(letter);
      if (id === undefined) throw usageError(`Cette question n'a pas de choix ${letter}.`);
      return id;
    }),
  };
}

async function choiceIds(kernel: Kernel, examId: number, { questionId }: Question): Promise<Map<string, string>> {
  return new Map((await findChoices(kernel.fork(), examId, questionId)).map(({ letter, id }) => [letter, id]));
}

function parseLetters(typed: string): string[] {
  const letters = typed
    .toUpperCase()
    .split(',')
    .map((letter) => letter.trim());
  if (letters.some((letter) => !/^[A-Z]$/.test(letter))) throw new InvalidArgumentError('Des lettres comme A,C sont attendues.');
  return letters;
}

/** Returns a receipt as it is stored, however it was read aloud or typed. */
function parseReceipt(typed: string): string {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  if (letters.length !== 8) throw new InvalidArgumentError('Huit lettres comme BX4T-9KQZ sont attendues.');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
