import { tidyName } from '../../../shared/blanks.ts';
import { titreSchema } from '../../../shared/forms/content.ts';
import type { Remarks } from './remarks.ts';

const maxLength = 100;

/** Returns a text as a valid title: characters that the rule forbids become spaces. Null when nothing remains. */
export function allowedTitle(text: string | null | undefined): string | null {
  let title = (text ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd} _-]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (title.length > maxLength)
    title = title
      .slice(0, maxLength + 1)
      .replace(/ [^ ]*$|.$/u, '')
      .trim();
  return titreSchema.safeParse(title).success ? title : null;
}

/** Returns a title proposed from a file's name: `03_Suites-numeriques.docx` becomes `03 Suites-numeriques`. */
export const titleOfFile = (name: string): string | null => allowedTitle(name.replace(/\.[^.]*$/, '').replaceAll('_', ' '));

/** Returns a title found in the text as a valid title. Adds a remark when it had to be changed. */
export function adaptedTitle(title: string, remarks: Remarks): string | null {
  const titre = allowedTitle(title);
  if (titre !== tidyName(title))
    remarks.say(`Le titre « ${title.slice(0, 120)} » a été adapté : ni ponctuation ni apostrophe, 100 caractères au plus.`);
  return titre;
}
