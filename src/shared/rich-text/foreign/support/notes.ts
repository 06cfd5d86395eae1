// Notes about content that was not kept, by kind: singular and plural (`#` is the number).
const SENTENCES = {
  image: [
    "Une image n'a pas d'adresse utilisable ici : à ajouter à la main.",
    "# images n'ont pas d'adresse utilisable ici : à ajouter à la main.",
  ],
  googleImage: [
    'Une image reste chez Google et peut y disparaître : mieux vaut la télécharger et la remettre.',
    '# images restent chez Google et peuvent y disparaître : mieux vaut les télécharger et les remettre.',
  ],
  imageElsewhere: ["Une image dans une légende n'a pas été gardée.", "# images dans des légendes n'ont pas été gardées."],
  equation: [
    "Une équation n'a pas pu être lue : à refaire avec le bouton Formule.",
    "# équations n'ont pas pu être lues : à refaire avec le bouton Formule.",
  ],
  latex: ['Une formule trop longue est gardée comme texte.', '# formules trop longues sont gardées comme texte.'],
  drawing: ["Un dessin n'a pas été gardé.", "# dessins n'ont pas été gardés."],
  object: ["Un objet incorporé n'a pas été gardé.", "# objets incorporés n'ont pas été gardés."],
  frame: ['Un cadre est devenu un lien.', '# cadres sont devenus des liens.'],
  textBox: ["Une zone de texte flottante n'a pas été gardée.", "# zones de texte flottantes n'ont pas été gardées."],
  form: ["Un champ de formulaire n'a pas été gardé.", "# champs de formulaire n'ont pas été gardés."],
  navigation: ["Un menu de navigation n'a pas été gardé.", "# menus de navigation n'ont pas été gardés."],
  comment: ["Un commentaire de relecture n'a pas été gardé.", "# commentaires de relecture n'ont pas été gardés."],
  hidden: ["Un texte masqué n'a pas été gardé.", "# textes masqués n'ont pas été gardés."],
  link: ['Un lien sans adresse utilisable est devenu du texte.', '# liens sans adresse utilisable sont devenus du texte.'],
  marker: [
    "Une liste à numéros composés ou d'un autre alphabet a des numéros simples.",
    "# listes à numéros composés ou d'un autre alphabet ont des numéros simples.",
  ],
  numberedHeading: [
    'Un titre numéroté par Word : le numéro est écrit dans le titre.',
    '# titres numérotés par Word : le numéro est écrit dans le titre.',
  ],
  label: [
    'Un paragraphe numéroté par Word avec des mots : le numéro est écrit dans le texte.',
    '# paragraphes numérotés par Word avec des mots : le numéro est écrit dans le texte.',
  ],
  anchor: [
    "Un lien vers un autre endroit du document d'origine est devenu du texte.",
    "# liens vers d'autres endroits du document d'origine sont devenus du texte.",
  ],
  emptyHeading: ['Un titre vide est devenu une ligne vide.', '# titres vides sont devenus des lignes vides.'],
  cellColor: ["La couleur de fond d'une cellule n'a pas été gardée.", "La couleur de fond de # cellules n'a pas été gardée."],
  symbol: ["Un caractère d'une police de symboles n'a pas d'équivalent.", "# caractères d'une police de symboles n'ont pas d'équivalent."],
  nesting: ['Un niveau imbriqué trop profond a été remonté.', '# niveaux imbriqués trop profonds ont été remontés.'],
} satisfies Record<string, readonly [one: string, several: string]>;

export type NoteKind = keyof typeof SENTENCES;

/** Counts lost content, and reports it in French, one sentence per kind. */
export class Notes {
  #counts = new Map<NoteKind, number>();

  add(kind: NoteKind, count = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  /** @param but kinds that the caller reports itself */
  sentences(but: readonly NoteKind[] = []): string[] {
    const said = [...this.#counts].filter(([kind]) => !but.includes(kind));
    return said.map(([kind, count]) => (count === 1 ? SENTENCES[kind][0] : SENTENCES[kind][1].replace('#', String(count))));
  }
}
