import { commonPasswords } from './common-passwords.ts';
import { invalidForm } from './identity.errors.ts';

/** Local common passwords that an international list lacks: French keyboards, words and places, and terms of the site. */
const localPasswords =
  'motdepasse azertyuiop azertyui qsdfghjklm wxcvbn bonjour doudou chouchou jesus jesuschrist dieu dieuestgrand amour famille merci soleil loulou princesse ' +
  'cameroun cameroon camer yaounde douala bafoussam bamenda garoua maroua ngaoundere bertoua ebolowa kribi limbe buea dschang afrique ' +
  'concours prepa prepaconcours preparation candidat candidate etudiant etudiante etudes examen reussite reussir bachelier administrateur';

const common = new Set([...commonPasswords, ...localPasswords.split(' ')]);

/** The account whose password is checked. */
interface Account {
  username: string;
  email: string;
}

/**
 * Refuses a new password that attackers guess early, whichever characters it holds: a common word with characters around it
 * ('Password1!', 'Azerty-2026', 'P@$$w0rd!'), or the account's own name or e-mail.
 * @throws AppError 400 with the fault in the field 'password'
 */
export type RefuseCommonPassword = (password: string, account: Account) => void;

/** @param refused whether the rule is enabled (`REFUSE_COMMON_PASSWORDS`) */
export function commonPasswordRule(refused: boolean): RefuseCommonPassword {
  return (password, account) => {
    const message = refused ? commonPasswordFault(password, account) : null;
    if (message) throw invalidForm([{ field: 'password', message }]);
  };
}

function commonPasswordFault(password: string, { username, email }: Account): string | null {
  const written = plain(password);
  const holds = (name: string) => namesOf(name).some((part) => written.includes(part));
  if (holds(username)) return "Le mot de passe ne doit pas contenir votre nom d'utilisateur";
  if (holds(email.slice(0, email.lastIndexOf('@')))) return 'Le mot de passe ne doit pas contenir votre adresse email';
  if (formsOf(written).some((form) => common.has(form))) return 'Ce mot de passe est trop courant : il serait vite deviné';
  return null;
}

/** Returns text in lower case without accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

/** Returns the name and its words of at least 4 characters. Shorter words occur in too many passwords. */
const namesOf = (name: string): string[] => [plain(name), ...plain(name).split(/[^a-z]+/)].filter((part) => part.length >= 4);

const letters: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '€': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
};

/**
 * Returns the forms of a password to compare: itself, without surrounding signs, and without surrounding digits; each also with signs
 * replaced by the letters that they resemble.
 */
function formsOf(written: string): string[] {
  const forms = [written, written.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, ''), written.replaceAll(/^[^a-z]+|[^a-z]+$/g, '')];
  return [...forms, ...forms.map((form) => form.replaceAll(/./gu, (sign) => letters[sign] ?? sign))];
}
