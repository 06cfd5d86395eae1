/** LaTeX that a button inserts. `|` is the place of the selected text and of the cursor. */
interface Template {
  /** The button's text. */
  readonly shown: string;
  readonly label: string;
  readonly latex: string;
}

const template = (shown: string, label: string, latex: string): Template => ({ shown, label, latex });

/** Common structures and symbols of mathematics, physics and chemistry, by subject. */
export const templateGroups: readonly { label: string; templates: readonly Template[] }[] = [
  {
    label: 'Structures',
    templates: [
      template('a/b', 'Fraction', '\\dfrac{|}{}'),
      template('√', 'Racine carrée', '\\sqrt{|}'),
      template('ⁿ√', 'Racine n-ième', '\\sqrt[n]{|}'),
      template('xⁿ', 'Puissance', '^{|}'),
      template('xₙ', 'Indice', '_{|}'),
      template('( )', 'Parenthèses qui grandissent', '\\left( | \\right)'),
      template('|x|', 'Valeur absolue', '\\left\\lvert | \\right\\rvert'),
      template('x̄', 'Barre', '\\overline{|}'),
      template('⟶', 'Vecteur', '\\overrightarrow{|}'),
      template('abc', 'Texte', '\\text{|}'),
      template('x≡', 'Équations alignées', '\\begin{aligned} | &=  \\\\  &=  \\end{aligned}'),
    ],
  },
  {
    label: 'Analyse',
    templates: [
      template('∑', 'Somme', '\\sum_{|}^{n} '),
      template('∏', 'Produit', '\\prod_{|}^{n} '),
      template('∫', 'Intégrale', '\\int_{|}^{b} f(x)\\,\\mathrm{d}x'),
      template('lim', 'Limite', '\\lim\\limits_{| \\to +\\infty} '),
      template('d/dx', 'Dérivée', '\\dfrac{\\mathrm{d}|}{\\mathrm{d}x}'),
      template('∂', 'Dérivée partielle', '\\dfrac{\\partial |}{\\partial x}'),
      template('∞', 'Infini', '\\infty '),
      template('ln', 'Logarithme népérien', '\\ln '),
      template('sin', 'Sinus', '\\sin '),
      template('cos', 'Cosinus', '\\cos '),
    ],
  },
  {
    label: 'Algèbre',
    templates: [
      template('(a b)', 'Matrice', '\\begin{pmatrix} | &  \\\\  &  \\end{pmatrix}'),
      template('|a b|', 'Déterminant', '\\begin{vmatrix} | &  \\\\  &  \\end{vmatrix}'),
      template('{', 'Système', '\\begin{cases} | \\\\  \\end{cases}'),
      template('(n k)', 'Coefficient binomial', '\\binom{|}{k}'),
      template('ℝ', 'Ensemble des réels', '\\mathbb{R}'),
      template('ℕ', 'Ensemble des entiers naturels', '\\mathbb{N}'),
      template('ℤ', 'Ensemble des entiers relatifs', '\\mathbb{Z}'),
      template('ℂ', 'Ensemble des complexes', '\\mathbb{C}'),
    ],
  },
  {
    label: 'Relations',
    templates: [
      template('≤', 'Inférieur ou égal', '\\leq '),
      template('≥', 'Supérieur ou égal', '\\geq '),
      template('≠', 'Différent', '\\neq '),
      template('≈', 'Environ égal', '\\approx '),
      template('≡', 'Congru', '\\equiv '),
      template('∈', 'Appartient', '\\in '),
      template('∉', "N'appartient pas", '\\notin '),
      template('⊂', 'Inclus', '\\subset '),
      template('∪', 'Union', '\\cup '),
      template('∩', 'Intersection', '\\cap '),
      template('∅', 'Ensemble vide', '\\emptyset '),
      template('∀', 'Pour tout', '\\forall '),
      template('∃', 'Il existe', '\\exists '),
      template('⇒', 'Implique', '\\implies '),
      template('⇔', 'Équivaut', '\\iff '),
      template('→', 'Flèche', '\\to '),
      template('×', 'Multiplié par', '\\times '),
      template('·', 'Point de multiplication', '\\cdot '),
      template('±', 'Plus ou moins', '\\pm '),
      template('°', 'Degré', '^\\circ '),
      template('⊥', 'Perpendiculaire', '\\perp '),
      template('∥', 'Parallèle', '\\parallel '),
    ],
  },
  {
    label: 'Lettres grecques',
    templates: [
      ...'α alpha,β beta,γ gamma,δ delta,ε varepsilon,η eta,θ theta,λ lambda,μ mu,ν nu,π pi,ρ rho,σ sigma,τ tau,φ varphi,χ chi,ψ psi,ω omega,Γ Gamma,Δ Delta,Θ Theta,Λ Lambda,Σ Sigma,Φ Phi,Ψ Psi,Ω Omega'
        .split(',')
        .map((pair) => pair.split(' ') as [string, string])
        .map(([letter, name]) => template(letter, name.replace('var', ''), `\\${name} `)),
    ],
  },
  {
    label: 'Chimie et physique',
    templates: [
      template('H₂O', 'Formule ou équation chimique', '\\ce{|}'),
      template('⇌', 'Équilibre chimique', '\\ce{| <=> }'),
      template('10ⁿ', 'Puissance de dix', '\\times 10^{|}'),
      template('m/s', 'Unité', '\\ \\mathrm{|}'),
    ],
  },
];

/** Returns `latex` with the template inserted at `start` to `end`, around the selected text, and the new cursor position. */
export function writeTemplate(
  latex: string,
  start: number,
  end: number,
  template: string,
): { latex: string; caret: number; written: string } {
  const [before = '', after = ''] = split(template);
  const selected = latex.slice(start, end);
  const written = `${before}${selected}${after}`;
  // Around a selection, the cursor moves behind the template.
  return { latex: latex.slice(0, start) + written + latex.slice(end), caret: start + (selected ? written.length : before.length), written };
}

function split(template: string): string[] {
  const at = template.indexOf('|');
  return at < 0 ? [template] : [template.slice(0, at), template.slice(at + 1)];
}
