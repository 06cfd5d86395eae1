/** Ids of a fixture's rows, for route parameters. */
export interface FixtureIds {
  prepa: number;
  discipline: number;
  item: number;
  document: number;
  administrator: string;
}

/** Id of the fixture's question, if it has one. */
export const fixtureQuestion = 'fixture00001';

/** Returns a URL for the route with the fixture's ids as parameters. Routes that would delete the fixture get ids that do not exist. */
export function addressOf(method: string, url: string, ids: FixtureIds): string {
  if (method === 'DELETE' && /(lecons|exercices|anciens-sujets|series|documents)\/:id$/.test(url)) return url.replace(':id', '999999');
  if (url.includes('/questions/:id')) return url.replace(':id', fixtureQuestion);
  // No learner has this id.
  if (url.startsWith('/admin/candidats')) return url.replace(':id', ids.administrator).replace(':session', 'inconnue');
  if (url.startsWith('/admin/administrateurs')) return url.replace(':id', ids.administrator);
  if (/^\/admin\/(cles|journal|paiements|signalements)/.test(url)) return url.replace(':id', '999999');
  const id = /prepa/.test(url) ? ids.prepa : /discipline/.test(url) ? ids.discipline : /documents\/:id/.test(url) ? ids.document : ids.item;
  return url
    .replace(':prepaId', String(ids.prepa))
    .replace(':disciplineId', String(ids.discipline))
    .replace(':provider', 'inconnu')
    .replace(':reference', 'ZP1')
    .replace('*', 'rien')
    .replace(':version', '1')
    .replace(':name', 'fiche.pdf')
    .replace(':question', fixtureQuestion)
    .replace(':id', String(id));
}
