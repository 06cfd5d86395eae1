import { table } from '../../../omml/symbols.ts';

/** LaTeX commands for characters. Unicode's mathematical letters are converted by `italicLetter`; all others are written as they are. */
const COMMANDS = table(String.raw`
  \ \backslash { \{ } \} % \% # \# & \& $ \$ _ \_ ~ \sim − - ′ \prime × \times ÷ \div ± \pm ∓ \mp · \cdot ⋅ \cdot ∗ * ∘ \circ ° {^\circ}
  ≤ \le ⩽ \leqslant ≥ \ge ⩾ \geqslant ≠ \ne ≈ \approx ≃ \simeq ≅ \cong ≡ \equiv ∼ \sim ∝ \propto ≪ \ll ≫ \gg ∞ \infty ∂ \partial ∇ \nabla
  ∑ \sum ∏ \prod ∐ \coprod ∫ \int ∬ \iint ∭ \iiint ∮ \oint √ \surd ⋃ \bigcup ⋂ \bigcap ∪ \cup ∩ \cap ⊂ \subset ⊃ \supset ⊆ \subseteq
  ⊇ \supseteq ⊄ \not\subset ∈ \in ∉ \notin ∋ \ni ∅ \emptyset ∖ \setminus ∀ \forall ∃ \exists ¬ \neg ∧ \wedge ∨ \vee ⊕ \oplus ⊗ \otimes
  ⊥ \perp ∥ \parallel ∠ \angle △ \triangle → \to ← \leftarrow ↔ \leftrightarrow ⇒ \Rightarrow ⇐ \Leftarrow ⇔ \Leftrightarrow
  ⟹ \Longrightarrow ⟺ \Longleftrightarrow ⟶ \longrightarrow ↦ \mapsto ⇌ \rightleftharpoons ↑ \uparrow ↓ \downarrow … \ldots ⋯ \cdots
  ⋮ \vdots ⋱ \ddots ⟨ \langle ⟩ \rangle 〈 \langle 〉 \rangle ⌊ \lfloor ⌋ \rfloor ⌈ \lceil ⌉ \rceil ‖ \| ℝ \mathbb{R} ℕ \mathbb{N}
  ℤ \mathbb{Z} ℚ \mathbb{Q} ℂ \mathbb{C} ℍ \mathbb{H} ℙ \mathbb{P} ℬ \mathcal{B} ℰ \mathcal{E} ℱ \mathcal{F} ℋ \mathcal{H} ℐ \mathcal{I} ℒ \mathcal{L}
  ℳ \mathcal{M} ℛ \mathcal{R} ℭ \mathfrak{C} ℌ \mathfrak{H} ℑ \Im ℜ \Re ℨ \mathfrak{Z} ℓ \ell ℏ \hbar α \alpha β \beta γ \gamma δ \delta ε \varepsilon ϵ \epsilon ζ \zeta η \eta
  θ \theta ϑ \vartheta ι \iota κ \kappa λ \lambda μ \mu µ \mu ν \nu ξ \xi π \pi ρ \rho σ \sigma ς \varsigma τ \tau υ \upsilon φ \varphi
  ϕ \phi χ \chi ψ \psi ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega
`);

const OPERATORS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth ln log lg exp lim max min sup inf det dim ker gcd deg arg limsup liminf'.split(
    ' ',
  ),
);

export const mathCharacter = (character: string): string =>
  // The table cannot hold U+00A0, because it is split at white space.
  character === '\u00a0' ? '\\ ' : (COMMANDS.get(character) ?? italicLetter(character));

/** Returns the command of a function or an operator (`\\sin`); null if LaTeX has none. */
export const operatorName = (word: string): string | null => (OPERATORS.has(word) ? `\\${word}` : null);

/** Ranges of Unicode's mathematical alphabets whose style has a meaning. */
const ALPHABETS: readonly (readonly [first: number, last: number, command: string])[] = [
  [0x1d400, 0x1d433, '\\mathbf'],
  [0x1d49c, 0x1d503, '\\mathcal'],
  [0x1d504, 0x1d537, '\\mathfrak'],
  [0x1d538, 0x1d56b, '\\mathbb'],
  [0x1d56c, 0x1d59f, '\\mathfrak'],
  [0x1d7d8, 0x1d7e1, '\\mathbb'],
];

/** Returns a letter of ALPHABETS as its command with the plain letter; other mathematical letters (Word's variables) as plain letters. */
function italicLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1d400 || code > 0x1d7ff) return character;
  const plain = character.normalize('NFKD');
  if (plain === character) return character;
  const command = ALPHABETS.find(([first, last]) => code >= first && code <= last)?.[2];
  return command ? `${command}{${plain}}` : mathCharacter(plain);
}
