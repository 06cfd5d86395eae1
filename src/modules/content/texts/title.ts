import { tidyName } from '../../../shared/blanks.ts';
import { titreSchema } from '../../../shared/forms/content.ts';
import type { Remarks } from './remarks.ts';

const maxLength = 100;

/** A title as the site's rule has it, made of whatever a document calls itself: what the rule does not allow becomes a space. Null when nothing is left. */
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

/** A title to propose for a file that names none: `03_Suites-numeriques.docx` is called `03 Suites-numeriques`. */
export const titleOfFile = (name: string): string | null => allowedTitle(name.replace(/\.[^.]*$/, '').replaceAll('_', ' '));

/** The same of a title that stands in the text; what had to be changed is said. */
export function adaptedTitle(title: string, remarks: Remarks): string | null {
  const titre = allowedTitle(title);
  if (titre !== tidyName(title))
    remarks.say(`Le titre « ${title.slice(0, 120)} » a été adapté : ni ponctuation ni apostrophe, 100 caractères au plus.`);
  return titre;
}
