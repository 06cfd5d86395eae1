export interface Import {
  from: string;
  to: string;
}

/**
 * Finds folders that import each other, at every level. For each import it compares the two sibling folders that contain its ends; the
 * files directly in a folder count as one subfolder.
 * @returns a line for each pair, with an import of the rarer direction
 */
export function mutualFolders(imports: readonly Import[]): string[] {
  const byPair = new Map<string, Import[]>();
  for (const one of imports) {
    const [from, to] = siblings(one);
    if (from === to) continue;
    const pair = `${from} -> ${to}`;
    byPair.set(pair, [...(byPair.get(pair) ?? []), one]);
  }
  return [...byPair].flatMap(([pair, there]) => {
    const [from, to] = pair.split(' -> ');
    const back = byPair.get(`${to} -> ${from}`) ?? [];
    const isReported = back.length > there.length || (back.length === there.length && pair < `${to} -> ${from}`);
    return isReported ? there.map((one) => `${from} <-> ${to}: ${one.from} -> ${one.to}`) : [];
  });
}

function siblings({ from, to }: Import): [string, string] {
  const [a, b] = [from.split('/'), to.split('/')];
  const depth = a.findIndex((part, index) => part !== b[index]);
  const folder = (parts: string[]) => (parts.length - 1 === depth ? [...parts.slice(0, depth), '.'] : parts.slice(0, depth + 1)).join('/');
  return [folder(a), folder(b)];
}
