/** The password's rules, ticked off while typing. Together they equal the rule of the form's schema. */
const requirements: [label: string, isMet: (password: string) => boolean][] = [
  ['8 caractères au moins', (password) => password.length >= 8],
  ['Une majuscule', (password) => /\p{Lu}/u.test(password)],
  ['Une minuscule', (password) => /\p{Ll}/u.test(password)],
  ['Un chiffre', (password) => /\p{Nd}/u.test(password)],
  ['Un caractère spécial', (password) => /[^\p{L}\p{N}\s]/u.test(password)],
];

export function passwordRequirements(password: string): { label: string; met: boolean }[] {
  const composed = password.normalize('NFC');
  return requirements.map(([label, isMet]) => ({ label, met: isMet(composed) }));
}
