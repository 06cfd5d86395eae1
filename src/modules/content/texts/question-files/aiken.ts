import { type FileEntry, fileQuestion, plainText, type QuestionFile } from './file-questions.ts';

const CHOICE = /^\s*([A-Z])\s*[).]\s+(\S.*)$/i;
const ANSWER = /^\s*ANSWER\s*:\s*([A-Z](?:\s*[,;]?\s*[A-Z])*)\s*$/i;

/** Returns whether a text is in Aiken's format: choices `A) …` directly above a line `ANSWER: A`. */
export function isAiken(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const answers = lines.flatMap((line, at) => (ANSWER.test(line) ? [at] : []));
  return answers.length > 0 && answers.every((at) => CHOICE.test(lines[at - 1] ?? ''));
}

/** Reads a text in Aiken's format. Text that is no question becomes prose. */
export function readAiken(text: string): QuestionFile {
  const entries: FileEntry[] = [];
  const remarks: string[] = [];
  let statement: string[] = [];
  let choices: string[] = [];
  let start = 1;
  /** Whether a blank line stands behind the choices. */
  let isAfterBlank = false;
  const close = (): void => {
    const rest = [...statement, ...choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${choice}`)].join('\n').trim();
    if (rest !== '') entries.push({ type: 'prose', texts: [plainText(rest)] });
    if (choices.length > 0) remarks.push(`Ligne ${start} : question sans ligne ANSWER, reprise comme texte.`);
    statement = [];
    choices = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const [, letter, choice] = CHOICE.exec(line) ?? [];
    const [, answer] = ANSWER.exec(line) ?? [];
    if (answer !== undefined && choices.length > 0) {
      const right = [...answer.toUpperCase().replaceAll(/[^A-Z]/g, '')].map((name) => name.charCodeAt(0) - 65);
      if (right.some((at) => at >= choices.length) || statement.join('').trim() === '') {
        close();
        continue;
      }
      entries.push(
        fileQuestion({
          kind: right.length > 1 ? 'several' : 'one',
          statement: [plainText(statement.join('\n'))],
          choices: choices.map((one, at) => ({ text: plainText(one), right: right.includes(at), remark: null })),
        }),
      );
      statement = [];
      choices = [];
    } else if (choice !== undefined && statement.length > 0 && letter?.toUpperCase().charCodeAt(0) === 65 + choices.length)
      choices.push(choice);
    else if (choices.length > 0 && line.trim() !== '' && !isAfterBlank) {
      // A line without letter continues the choice before it.
      choices.push(`${choices.pop()} ${line.trim()}`);
    } else if (line.trim() !== '' || (statement.length > 0 && choices.length === 0)) {
      if (choices.length > 0) close();
      if (statement.length === 0) start = index + 1;
      statement.push(line);
    }
    isAfterBlank = line.trim() === '';
  }
  close();
  return { title: null, entries, marking: null, remarks };
}
