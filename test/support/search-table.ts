/** What a text says, what is typed to find it, and what is typed that must not find it. The search of the site and that of a kept copy run the same rows. */
interface SearchCase {
  says: string;
  found: readonly string[];
  notFound?: readonly string[];
}

/** Numbers that signs or spaces join, and words with digits. */
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
