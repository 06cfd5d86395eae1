/**
 * A text, queries that must find it, and queries that must not. The site's search and the search of a kept copy are tested with the same
 * rows.
 */
interface SearchCase {
  says: string;
  found: readonly string[];
  notFound?: readonly string[];
}

/** Numbers joined by signs or spaces, and words with digits. */
export const joinedNumbers: readonly SearchCase[] = [
  {
    says: 'Loi n° 96-06 du 18 janvier 1996 portant révision',
    found: ['Loi n° 96-06 du 18 janvier 1996', '96-06', '96/06', '96–06', '96 06', 'loi 96‑06', 'LOI Nº 96-06', 'loi no 96-06', '№ 96-06'],
    notFound: ['96-07', '06-96', '9606-1'],
  },
  {
    says: "L'année scolaire 2023-2024",
    found: ['2023-2024', '2023/2024', '2023 2024', '2023—2024', '2024', '2023 - 2024'],
    notFound: ['2024-2025'],
  },
  {
    says: "L'article L. 131-2 du code",
    found: ['article L. 131-2', 'L. 131-2', 'L.131-2', 'L131-2', 'L 131-2', '131-2'],
    notFound: ['131-3', 'R. 131-3'],
  },
  { says: "L'article R131-7 du code", found: ['article R. 131-7', 'R131-7', 'R.131-7', '131-7'] },
  { says: 'La pandémie de COVID-19', found: ['COVID-19', 'covid19', 'Covid 19', 'covid‑19', 'covid'], notFound: ['covid-20', 'covid20'] },
  { says: 'Une maladie nommée covid21', found: ['COVID-21', 'covid 21', 'covid21'] },
  { says: 'La section 131/5 du plan', found: ['131/5', '131-5', '131'], notFound: ['131/6'] },
  { says: 'Une moyenne de 13,5 sur 20', found: ['13,5', '13.5'], notFound: ['13,6', '135'] },
  {
    says: 'Un capital de 12 000 F, puis de 47 500 F et de 1 250 000 F',
    found: ['12 000', '12000', '12.000', '12 000', '47500', '47 500', '1250000', '1 250 000'],
    notFound: ['12001', '47501'],
  },
  { says: 'Un capital de 86000 F', found: ['86 000', '86 000', '86.000', '86000'] },
  {
    says: 'Le 1er mai, la 2ème fois',
    found: ['1er mai', '1ᵉʳ mai', '1<sup>er</sup> mai'.replaceAll(/<[^>]*>/g, ''), '2e fois', '2ème fois'],
    notFound: ['3ème'],
  },
  { says: 'Au XIX<sup>e</sup> siècle', found: ['XIXe siècle', 'xixe', 'XIXᵉ siècle', 'XIXème siècle'], notFound: ['XXIe'] },
  { says: 'Une hausse de 37% en un an', found: ['37%', '37 %', 'hausse de 37%'], notFound: ['38%'] },
  { says: 'Le 01/02/2024 à Yaoundé', found: ['01/02/2024', '01-02-2024', '01.02.2024'], notFound: ['01/03/2024'] },
  { says: 'La guerre de 1939–1945', found: ['1939-1945', '1939–1945', '1939 – 1945', '1945'], notFound: ['1914-1945'] },
  {
    says: 'Appeler le +237 699 12 34 56 le matin',
    found: ['699123456', '699 12 34 56', '699-12-34-56', '+237 699 12 34 56', '+237699123456'],
  },
  { says: 'Voir le paragraphe 3.2.1 du cours', found: ['3.2.1', '§ 3.2.1', '3.2'], notFound: ['3.1.2', '3.2.2'] },
];

/** Punctuation, letters with two spellings, acronyms, prefixes and URLs. */
export const writtenInTwoWays: readonly SearchCase[] = [
  { says: "C'est aujourd'hui", found: ["aujourd'hui", 'aujourd’hui', 'aujourdʼhui', 'aujourdhui', "AUJOURD'HUI"] },
  {
    says: 'C’est pour demain, ou pour après-demain',
    found: ['après-demain', 'apres demain', 'après‐demain', 'après\u2011demain', 'après−demain'],
  },
  { says: 'La presqu’île de Bakassi', found: ["presqu'île", 'presqu’île', 'presquîle', 'PRESQU’ILE'], notFound: ['presqu ici'] },
  { says: "Le conseil de prud'hommes", found: ["prud'hommes", 'prud’hommes', "prud'homme", 'prudhommes'] },
  { says: "L'équation de d'Alembert", found: ["d'Alembert", 'd’alembert', 'Alembert', "l'équation", 'équation'] },
  { says: "Le marché de N'Djamena", found: ["N'Djamena", 'N’Djaména', 'Ndjamena', 'djamena'] },
  { says: 'La route de Ngaoundéré', found: ["N'Gaoundéré", 'N’Gaoundere', 'ngaoundere'] },
  { says: 'Le port de Saint‑Louis', found: ['Saint-Louis', 'saint louis', 'Saintlouis', 'Saint–Louis'] },
  { says: 'Une fiche sou\u00adlignée', found: ['soulignée', 'sou\u00adlignée', 'SOULIGNÉE'] },
  { says: "L'O.N.U. siège ici", found: ['O.N.U.', 'ONU', 'onu', 'O.N.U'] },
  { says: "L'OMS et la CEMAC siègent ici", found: ['O.M.S.', 'OMS', 'C.E.M.A.C.', 'cemac'] },
  { says: 'Une S.A. au capital variable', found: ['S.A.', 'S.A', 'SA'] },
  { says: 'Une autre SA au capital fixe', found: ['S.A.', 'SA'] },
  {
    says: 'La molécule H₂O et le CO<sub>2</sub>, sur 7 m²',
    found: ['H2O', 'h₂o', 'CO2', 'CO₂', 'm²', 'm2', '7 m²'],
    notFound: ['H3O', 'm3'],
  },
  { says: 'Un œuvre, un ex æquo, une ﬁgure', found: ['oeuvre', 'œuvre', 'ŒUVRES', 'ex aequo', 'ex æquo', 'figure', 'ﬁgure'] },
  { says: 'Écrire à info@minesup-demo.cm avant midi', found: ['info@minesup-demo.cm', 'minesup', 'info', 'minesup-demo.cm'] },
  {
    says: 'Voir https://www.legifrance-demo.org/textes/loi_96.html en ligne',
    found: ['legifrance', 'https://www.legifrance-demo.org/textes/loi_96.html', 'loi_96', 'textes'],
  },
  { says: 'Ouvrir plan_annuel-final.pdf à la page dite', found: ['plan_annuel-final.pdf', 'plan annuel', 'annuel', 'pdf'] },
  { says: 'Locataire et/ou propriétaire', found: ['et/ou', 'locataire et/ou propriétaire'] },
  { says: 'Le rapport père/fils', found: ['père/fils', 'pere', 'fils'] },
  { says: 'Le rendez-vous du mardi', found: ['rendez-vous', 'rendezvous', 'rendez vous'] },
];
