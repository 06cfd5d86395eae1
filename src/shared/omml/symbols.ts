// LaTeX for characters of Word's equations. Characters that are not listed are kept: the renderer knows most of Unicode.

/** Returns a map from a list of pairs `character command`. */
export function table(pairs: string): ReadonlyMap<string, string> {
  const words = pairs.trim().split(/\s+/);
  const map = new Map<string, string>();
  for (let index = 0; index + 1 < words.length; index += 2) map.set(words[index] as string, words[index + 1] as string);
  return map;
}

export const GREEK = table(String.raw`
  α \alpha β \beta γ \gamma δ \delta ε \varepsilon ϵ \epsilon ζ \zeta η \eta θ \theta ϑ \vartheta ι \iota κ \kappa ϰ \varkappa λ \lambda
  μ \mu ν \nu ξ \xi π \pi ϖ \varpi ρ \rho ϱ \varrho σ \sigma ς \varsigma τ \tau υ \upsilon φ \varphi ϕ \phi χ \chi ψ \psi ω \omega
  Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Υ \Upsilon Φ \Phi Ψ \Psi Ω \Omega µ \mu ∆ \Delta
`);

export const RELATIONS = table(String.raw`
  ≤ \leq ≥ \geq ⩽ \leqslant ⩾ \geqslant ≠ \neq ≈ \approx ≡ \equiv ≢ \not\equiv ∼ \sim ≃ \simeq ≅ \cong ∝ \propto ≪ \ll ≫ \gg ≺ \prec ≻ \succ
  ∈ \in ∉ \notin ∋ \ni ⊂ \subset ⊃ \supset ⊆ \subseteq ⊇ \supseteq ⊄ \not\subset ⊊ \subsetneq ⊋ \supsetneq ∥ \parallel ∦ \nparallel ⊥ \perp
  → \to ← \leftarrow ↔ \leftrightarrow ⇒ \Rightarrow ⇐ \Leftarrow ⇔ \Leftrightarrow ⟶ \longrightarrow ⟵ \longleftarrow ⟹ \Longrightarrow
  ⟺ \Longleftrightarrow ↦ \mapsto ⟼ \longmapsto ↗ \nearrow ↘ \searrow ↙ \swarrow ↖ \nwarrow ↑ \uparrow ↓ \downarrow ↕ \updownarrow
  ⇌ \rightleftharpoons ⇋ \leftrightharpoons ⇀ \rightharpoonup ⇁ \rightharpoondown ↪ \hookrightarrow ↩ \hookleftarrow ⇄ \rightleftarrows
  ∣ \mid ∤ \nmid ⊢ \vdash ⊨ \models ≔ \coloneqq ≜ \triangleq ≐ \doteq ≲ \lesssim ≳ \gtrsim ≶ \lessgtr ⊲ \vartriangleleft ⊳ \vartriangleright
`);

export const OPERATORS = table(String.raw`
  × \times ÷ \div ± \pm ∓ \mp ⋅ \cdot · \cdot ∙ \bullet • \bullet ∗ * ⋆ \star ∘ \circ ∪ \cup ∩ \cap ∖ \setminus ∧ \wedge ∨ \vee ⊕ \oplus
  ⊖ \ominus ⊗ \otimes ⊘ \oslash ⊙ \odot ⊎ \uplus ⊓ \sqcap ⊔ \sqcup − - ‐ - – - ⁄ /
`);

/** Symbols without space at their sides. */
export const ORDINARY = table(String.raw`
  ∞ \infty ∂ \partial ∇ \nabla ∀ \forall ∃ \exists ∄ \nexists ∅ \emptyset ⌀ \emptyset ¬ \neg ∠ \angle ∡ \measuredangle △ \triangle □ \square ◻ \square
  ■ \blacksquare … \dots ⋯ \cdots ⋮ \vdots ⋱ \ddots ° ^\circ ′ ' ″ '' ‴ ''' ℓ \ell ℏ \hbar ℘ \wp ℜ \Re ℑ \Im ℵ \aleph ∁ \complement
  ⊤ \top ∴ \therefore ∵ \because √ \surd † \dagger ‡ \ddagger § \text{§} ⟨ \langle ⟩ \rangle 〈 \langle 〉 \rangle ⌈ \lceil ⌉ \rceil
  ⌊ \lfloor ⌋ \rfloor ‖ \| ⟦ \llbracket ⟧ \rrbracket € \text{€} £ \text{£} ‰ \text{‰} № \text{№} « \text{«} » \text{»} ’ ' ♯ \sharp ♭ \flat
`);

export const LARGE_OPERATORS = table(String.raw`
  ∑ \sum ∏ \prod ∐ \coprod ∫ \int ∬ \iint ∭ \iiint ∮ \oint ∯ \oiint ∰ \oiiint ⋂ \bigcap ⋃ \bigcup ⋀ \bigwedge ⋁ \bigvee ⨁ \bigoplus ⨂ \bigotimes
  ⨀ \bigodot ⨄ \biguplus ⨆ \bigsqcup
`);

/** Operators whose limits LaTeX puts at the side, even in display style. */
export const INTEGRALS = /[∫-∳]/;

/** LaTeX commands by Word's accent character: the first over one letter, the second over several letters. */
export const ACCENTS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['\u0300', ['\\grave', '\\grave']],
  ['`', ['\\grave', '\\grave']],
  ['´', ['\\acute', '\\acute']],
  ['ˆ', ['\\hat', '\\widehat']],
  ['˜', ['\\tilde', '\\widetilde']],
  ['˘', ['\\breve', '\\breve']],
  ['˙', ['\\dot', '\\dot']],
  ['¨', ['\\ddot', '\\ddot']],
  ['ˇ', ['\\check', '\\widecheck']],
  ['˚', ['\\mathring', '\\mathring']],
  ['\u0301', ['\\acute', '\\acute']],
  ['\u0302', ['\\hat', '\\widehat']],
  ['^', ['\\hat', '\\widehat']],
  ['\u0303', ['\\tilde', '\\widetilde']],
  ['~', ['\\tilde', '\\widetilde']],
  ['\u0304', ['\\bar', '\\overline']],
  ['\u0305', ['\\bar', '\\overline']],
  ['¯', ['\\bar', '\\overline']],
  ['‾', ['\\bar', '\\overline']],
  ['\u0306', ['\\breve', '\\breve']],
  ['\u0307', ['\\dot', '\\dot']],
  ['\u0308', ['\\ddot', '\\ddot']],
  ['\u20db', ['\\dddot', '\\dddot']],
  ['\u030a', ['\\mathring', '\\mathring']],
  ['\u030c', ['\\check', '\\widecheck']],
  ['\u20d7', ['\\vec', '\\overrightarrow']],
  ['→', ['\\vec', '\\overrightarrow']],
  ['\u20d6', ['\\overleftarrow', '\\overleftarrow']],
  ['←', ['\\overleftarrow', '\\overleftarrow']],
  ['\u20e1', ['\\overleftrightarrow', '\\overleftrightarrow']],
  ['↔', ['\\overleftrightarrow', '\\overleftrightarrow']],
  ['\u20d1', ['\\overrightharpoon', '\\overrightharpoon']],
  ['\u20d0', ['\\overleftharpoon', '\\overleftharpoon']],
  ['⏞', ['\\overbrace', '\\overbrace']],
  ['︷', ['\\overbrace', '\\overbrace']],
  ['⎴', ['\\overbracket', '\\overbracket']],
  ['⏜', ['\\overparen', '\\overparen']],
  ['︵', ['\\overparen', '\\overparen']],
]);

/** Commands for characters that Word puts under a base. */
export const UNDER: ReadonlyMap<string, string> = new Map([
  ['\u0332', '\\underline'],
  ['\u0331', '\\underline'],
  ['_', '\\underline'],
  ['⏟', '\\underbrace'],
  ['︸', '\\underbrace'],
  ['⎵', '\\underbracket'],
  ['⏝', '\\underparen'],
  ['︶', '\\underparen'],
  ['→', '\\underrightarrow'],
  ['←', '\\underleftarrow'],
  ['↔', '\\underleftrightarrow'],
]);

/** Commands for arrows that stretch to their label. */
export const LONG_ARROWS: ReadonlyMap<string, string> = new Map([
  ['→', '\\xrightarrow'],
  ['⟶', '\\xrightarrow'],
  ['←', '\\xleftarrow'],
  ['⟵', '\\xleftarrow'],
  ['↔', '\\xleftrightarrow'],
  ['⇒', '\\xRightarrow'],
  ['⇐', '\\xLeftarrow'],
  ['⇔', '\\xLeftrightarrow'],
  ['⇌', '\\xrightleftharpoons'],
  ['↦', '\\xmapsto'],
]);

/** Function names with a LaTeX command. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh ' +
    'sup tan tanh'
  ).split(' '),
);
/** Functions whose limits are written underneath. */
export const WITH_LIMITS: ReadonlySet<string> = new Set('det gcd inf lim liminf limsup max min Pr sup'.split(' '));

/** Spaces of mathematical typesetting. Whether an ordinary space is kept depends on its neighbours. */
export const SPACES: ReadonlyMap<string, string> = new Map([
  ['\u00a0', '~'],
  ['\u2002', '\\enspace'],
  ['\u2003', '\\quad'],
  ['\u2004', '\\;'],
  ['\u2005', '\\:'],
  ['\u2006', '\\,'],
  ['\u2009', '\\,'],
  ['\u202f', '\\,'],
  ['\u205f', '\\:'],
  ['\u200a', '\\,'],
  ['\u2001', '\\qquad'],
]);
