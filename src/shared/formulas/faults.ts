export type FormulaFault = 'EMPTY' | 'TOO_LONG' | 'FORBIDDEN' | 'INVALID' | 'TOO_LARGE' | 'TIMEOUT';

/** A formula that cannot be shown; the message is French and says what is wrong with the LaTeX. */
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
  [/^No such environment: (\S+)/, ([name]) => `environnement inconnu ${name}`],
  [/^Mismatch: \\begin\{(.+?)\} matched by \\end\{(.+?)\}/, ([begin, end]) => `\\begin{${begin}} est fermé par \\end{${end}}`],
  [
    /^Double (subscript|superscript)/,
    ([script]) => `deux ${script === 'subscript' ? 'indices' : 'exposants'} de suite : ajoutez des accolades`,
  ],
  [/can be used only in display mode|works only in display mode/, () => 'cet environnement demande une formule hors texte ($$)'],
  [/^Unexpected end of input|^Expected group/, () => 'un argument ou une accolade manque'],
  [/^Too many expansions|Maximum call stack/, () => 'formule trop compliquée'],
  [/^(\\middle|\\right) without preceding/, ([command]) => `${command} sans \\left`],
  [/^Got function '(.+?)' with no arguments/, ([command]) => `${command} sans son argument`],
  [/^Invalid delimiter/, () => 'délimiteur interdit après \\left, \\right ou \\big'],
];

function token(name = ''): string {
  return name === 'EOF' ? 'la fin de la formule' : `"${name}"`;
}

/** What temml says of a formula, in French where its sentence is known. */
export function inFrench(error: unknown): string {
  const said = (error instanceof Error ? error.message : String(error)).trim();
  const position = /at position (\d+)/.exec(said)?.[1];
  const place = position ? ` (caractère ${position})` : '';
  for (const [pattern, sentence] of FRENCH) {
    const found = pattern.exec(said);
    if (found) return `Formule incorrecte : ${sentence(found.slice(1))}${place}`;
  }
  // The rest of the message repeats the formula with an underline made of combining characters.
  return `Formule incorrecte : ${said.split(/ at position |: at end|\n/)[0]}${place}`;
}
