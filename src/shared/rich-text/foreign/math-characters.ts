import { table } from '../../omml/symbols.ts';

/** Commands for characters; what is not here stands for itself. */
const COMMANDS = table(String.raw`
  \ \backslash { \{ } \} % \% # \# & \& $ \$ _ \_ ~ \sim − - ′ \prime × \times ÷ \div ± \pm ∓ \mp · \cdot ⋅ \cdot ∗ * ∘ \circ ° {^\circ}
  ≤ \le ⩽ \leqslant ≥ \ge ⩾ \geqslant ≠ \ne ≈ \approx ≃ \simeq ≅ \cong ≡ \equiv ∼ \sim ∝ \propto ≪ \ll ≫ \gg ∞ \infty ∂ \partial ∇ \nabla
  ∑ \sum ∏ \prod ∐ \coprod ∫ \int ∬ \iint ∭ \iiint ∮ \oint √ \surd ⋃ \bigcup ⋂ \bigcap ∪ \cup ∩ \cap ⊂ \subset ⊃ \supset ⊆ \subseteq
  ⊇ \supseteq ⊄ \not\subset ∈ \in ∉ \notin ∋ \ni ∅ \emptyset ∖ \setminus ∀ \forall ∃ \exists ¬ \neg ∧ \wedge ∨ \vee ⊕ \oplus ⊗ \otimes
  ⊥ \perp ∥ \parallel ∠ \angle △ \triangle → \to ← \leftarrow ↔ \leftrightarrow ⇒ \Rightarrow ⇐ \Leftarrow ⇔ \Leftrightarrow
  ⟹ \Longrightarrow ⟺ \Longleftrightarrow ⟶ \longrightarrow ↦ \mapsto ⇌ \rightleftharpoons ↑ \uparrow ↓ \downarrow … \ldots ⋯ \cdots
  ⋮ \vdots ⋱ \ddots ⟨ \langle ⟩ \rangle 〈 \langle 〉 \rangle ⌊ \lfloor ⌋ \rfloor ⌈ \lceil ⌉ \rceil ‖ \| ℝ \mathbb{R} ℕ \mathbb{N}
  ℤ \mathbb{Z} ℚ \mathbb{Q} ℂ \mathbb{C} ℓ \ell ℏ \hbar α \alpha β \beta γ \gamma δ \delta ε \varepsilon ϵ \epsilon ζ \zeta η \eta
  θ \theta ϑ \vartheta ι \iota κ \kappa λ \lambda μ \mu µ \mu ν \nu ξ \xi π \pi ρ \rho σ \sigma ς \varsigma τ \tau υ \upsilon φ \varphi
  ϕ \phi χ \chi ψ \psi ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega
`);

const OPERATORS = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth ln log lg exp lim max min sup inf det dim ker gcd deg arg limsup liminf'.split(
    ' ',
  ),
);

/** LaTeX for one character of a formula. */
export const mathCharacter = (character: string): string =>
  // The table is read by its spaces.
  character === '\u00a0' ? '\\ ' : (COMMANDS.get(character) ?? italicLetter(character));

/** A function's or an operator's command (`\\sin`), when LaTeX has one. */
export const operatorName = (word: string): string | null => (OPERATORS.has(word) ? `\\${word}` : null);

/** Word writes variables as letters of Unicode's mathematical alphabets. */
function italicLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1d400 || code > 0x1d7ff) return character;
  const plain = character.normalize('NFKD');
  return plain === character ? character : mathCharacter(plain);
}
