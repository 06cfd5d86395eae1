/** What stands in a fixture, for the parameters of addresses. */
export interface FixtureIds {
  prepa: number;
  discipline: number;
  item: number;
  document: number;
  administrator: string;
}

/** An address of this route, with the fixture's ids in the places of its parameters; what would take the fixture away is asked of what is not there. */
export function addressOf(method: string, url: string, ids: FixtureIds): string {
  if (method === 'DELETE' && /(lecons|exercices|anciens-sujets|documents)\/:id$/.test(url)) return url.replace(':id', '999999');
  // Nobody's: a learner has another id.
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
    .replace(':id', String(id));
}
