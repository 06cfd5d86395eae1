import { CliError } from '../failure.ts';
import type { Prompt } from './prompt.ts';
import { type Question, questions } from './questions.ts';
import { faultsOf } from './settings.ts';
import type { Finding } from './world.ts';

interface Means {
  /** Null: nobody is there to be asked. */
  prompt: Prompt | null;
  /** Whether an answer is taken that the world does not bear out yet. */
  anyway: boolean;
}

/**
 * Goes through the questions, and stays at each until its answer holds or whoever answers keeps it all the same.
 * @throws CliError when an answer does not hold and nobody can be asked
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

/** @returns what is wrong with the answer, where nobody can be asked for another one */
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

/** What the settings' own rules say of this answer, and not of those that are still to come. */
function ownFaults({ name, optional }: Question, settings: Readonly<Record<string, string>>): string[] {
  if (!settings[name]) return optional ? [] : [`${name} est obligatoire`];
  return faultsOf(settings).filter((fault) => fault.startsWith(`${name} `));
}
