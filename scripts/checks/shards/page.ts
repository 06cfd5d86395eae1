import type { Crossing } from './constraints.ts';

/** Compares a table of docs/growth.md, found by its heading, with the findings. Returns a line for each name that only one of them has. */
export function comparePage(page: string, heading: string, found: readonly Crossing[]): string[] {
  const explained = new Set(namesUnder(page, heading));
  const names = new Set(found.map(({ name }) => name));
  return [
    ...found
      .filter(({ name }) => !explained.has(name))
      .map(({ name, why }) => `docs/growth.md, ${heading}: \`${name}\` is not explained (${why})`),
    ...[...explained].filter((name) => !names.has(name)).map((name) => `docs/growth.md, ${heading}: \`${name}\` crosses nothing any more`),
  ];
}

/** Returns the names in backticks in the first cells of the table under a heading. */
function namesUnder(page: string, heading: string): string[] {
  const [, after = ''] = page.split(new RegExp(`^#+ ${heading}.*$`, 'm'));
  const [section = ''] = after.split(/^#/m);
  return Array.from(section.matchAll(/^\|([^|]*)\|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  ).flat();
}
