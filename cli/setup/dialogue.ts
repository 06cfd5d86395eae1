import { CliError } from '../failure.ts';
import type { Prompt } from './prompt.ts';
import { type Question, questions } from './questions.ts';
import { faultsOf } from './settings.ts';
import type { Finding } from './world.ts';

interface Means {
  /** Null with --yes, which asks no questions. */
  prompt: Prompt | null;
  /** Whether an answer is accepted although an external check failed. */
  anyway: boolean;
}

/**
 * Asks every question, and repeats each until its answer is valid or the operator keeps it despite a failed check.
 * @throws CliError when an answer is invalid and there is no prompt
 */
export async function answerQuestions(given: Readonly<Record<string, string>>, means: Means): Promise<Record<string, string>> {
  const settings: Record<string, string> = { ...given };
  const faults: string[] = [];
  for (const question of questions) {
    if (question.applies && !question.applies(settings)) continue;
    faults.push(...(await answerOne(question, settings, means)));
  }
  if (faults.length > 0) throw new CliError(["Rien n'a été écrit :", ...faults.map((fault) => `  ${fault}`)].join('\n'));
  return settings;
}

/** @returns the faults of the answer if there is no prompt to ask again, otherwise an empty list */
async function answerOne(question: Question, settings: Record<string, string>, { prompt, anyway }: Means): Promise<string[]> {
  const { name } = question;
  let isGiven = settings[name] !== undefined;
  for (;;) {
    if (!isGiven) settings[name] = prompt ? await askFor(question, prompt) : (question.usual ?? '');
    const wrong = ownFaults(question, settings);
    if (wrong.length > 0) {
      if (!prompt) return wrong;
      for (const fault of wrong) prompt.say(`  FAUTE  ${fault}`);
      prompt.forgetTypedAhead();
    } else {
      const findings = (await question.check?.(settings)) ?? [];
      const tell = prompt?.say ?? ((text: string) => process.stderr.write(`${text}\n`));
      for (const { kind, text } of findings) tell(`  ${{ ok: 'ok   ', later: 'AVIS ', fault: 'FAUTE' }[kind]}  ${text}`);
      if (anyway || !findings.some(isFault)) return [];
      if (!prompt) return findings.filter(isFault).map(({ text }) => `${name} : ${text}`);
      prompt.forgetTypedAhead();
      if (/^(o|oui)$/i.test(await prompt.ask('  Garder cette réponse quand même ? [o/N] '))) return [];
    }
    isGiven = false;
  }
}

const isFault = ({ kind }: Finding): boolean => kind === 'fault';

async function askFor({ asks, usual, hidden = false }: Question, prompt: Prompt): Promise<string> {
  const typed = await prompt.ask(`${asks}${usual ? ` [${usual}]` : ''} : `, { hidden });
  return typed === '' ? (usual ?? '') : typed;
}

/** Returns the faults of this setting, without the faults of settings not answered yet. */
function ownFaults({ name, optional }: Question, settings: Readonly<Record<string, string>>): string[] {
  if (!settings[name]) return optional ? [] : [`${name} est obligatoire`];
  return faultsOf(settings).filter((fault) => fault.startsWith(`${name} `));
}
