export type FormulaFault = 'EMPTY' | 'TOO_LONG' | 'FORBIDDEN' | 'INVALID' | 'TOO_LARGE' | 'TIMEOUT';

/** A formula that cannot be shown; the message says in French what is wrong with the LaTeX. */
export class FormulaError extends Error {
  override name = 'FormulaError';
  readonly fault: FormulaFault;

  constructor(fault: FormulaFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const FRENCH: [RegExp, (found: string[]) => string][] = [
  [/^(?:Unsupported function name|Undefined control sequence): (\S+)/, ([command]) => `commande inconnue ${command}`],
  [/^Function "(.+?)" is not trusted/, ([command]) => `commande interdite ${command}`],
  [/^Expected '(.+?)', got '(.+?)'/, ([wanted, got]) => `${token(got)} au lieu de ${token(wanted)}`],
  [/^Expected & or/, () => 'un & ou la fin de la ligne manque dans un tableau'],
  [/^No such environment: (\S+)/, ([name]) => `environnement inconnu ${name}`],
  [/^Invalid environment name/, () => "nom d'environnement incorrect"],
  [/^Mismatch: \\begin\{(.+?)\} matched by \\end\{(.+?)\}/, ([begin, end]) => `\\begin{${begin}} est fermé par \\end{${end}}`],
  [/^Mismatched (\\\S+)/, ([command]) => `${command} sans ce qui l'ouvre`],
  [
    /^Double (subscript|superscript)/,
    ([script]) => `deux ${script === 'subscript' ? 'indices' : 'exposants'} de suite : ajoutez des accolades`,
  ],
  [/can be used only in display mode|works only in display mode/, () => 'cet environnement demande une formule hors texte ($$)'],
  [/can be used only in text mode|Can't use function '.+?' in math mode/, () => "commande admise seulement à l'intérieur de \\text"],
  [/works only in math mode|Can't use function '.+?' in text mode/, () => "commande interdite à l'intérieur de \\text"],
  [/^Unexpected end of input|^Expected group/, () => 'un argument ou une accolade manque'],
  [/^Extra \}/, () => 'une accolade } de trop'],
  [/^Too many expansions|Maximum call stack/, () => 'formule trop compliquée'],
  [/^(\\middle|\\right) without preceding/, ([command]) => `${command} sans \\left`],
  [/^Unmatched delimiter/, () => 'un délimiteur sans celui qui le ferme'],
  [/^Got function '(.+?)' with no arguments/, ([command]) => `${command} sans son argument`],
  [/^Invalid delimiter/, () => 'délimiteur interdit après \\left, \\right ou \\big'],
  [/^Invalid (?:color|HTML input|RGB input|rbg input)|^Color (?:name|model|rgb)/, () => 'couleur inconnue'],
  [/^Invalid (?:size|unit)|supports only mu units|doesn't support mu units/, () => 'longueur incorrecte'],
  [/^Unexpected character|^Invalid code point/, () => 'caractère interdit'],
  [/^\\@?char\b|^Invalid base-/, () => 'numéro de caractère incorrect'],
  [/^(?:Unicode|Accented Unicode) text character "(.+?)"/, ([character]) => `"${character}" est à mettre dans \\text`],
  [/^Unknown accent|^Accent .+ unsupported/, () => 'accent impossible à cet endroit'],
  [/^Unknown column alignment|^Expected l or c or r/, () => 'colonnes à aligner par l, c ou r'],
  [
    /^Too few columns|accepts (?:no more than two columns|only one column)|can contain only one column|^Too many math/,
    () => 'trop de colonnes',
  ],
  [/^The alignat/, () => 'alignat demande un nombre de colonnes'],
  [/valid only within array environment/, () => 'commande admise seulement dans un tableau'],
  [/^Multiple \\(tag|labels)/, () => 'plusieurs \\tag ou \\label pour une ligne'],
  [/^only one infix operator/, () => 'une seule commande \\over, \\choose ou semblable par groupe'],
  [/^Limit controls must follow/, () => '\\limits et \\nolimits suivent un opérateur'],
  [/^\\verb ended/, () => '\\verb sans sa fin'],
  [/^% comment has no/, () => 'un commentaire (%) sans fin de ligne : écrivez \\% pour un pourcentage'],
];

function token(name = ''): string {
  return name === 'EOF' ? 'la fin de la formule' : `"${name}"`;
}

/** Returns temml's error message in French; for an unknown message, or an error inside temml, only the position. */
export function inFrench(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).trim();
  // temml writes the position at the end of the first line. The formula after it may contain "at position" too.
  const position = / at position (\d+): \n/.exec(said)?.[1];
  const place = position ? ` (caractère ${position})` : / at end of input: /.test(said) ? ' (à la fin)' : '';
  for (const [pattern, sentence] of FRENCH) {
    const found = pattern.exec(said);
    if (!found) continue;
    const fault = sentence(found.slice(1));
    return `Formule incorrecte : ${fault}${fault.startsWith(token('EOF')) ? '' : place}`;
  }
  return `Formule incorrecte${place}`;
}
