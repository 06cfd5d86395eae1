import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { keepSizes } from './texts.repository.ts';

/**
 * Returns the sizes of pictures by their stored names, in bytes; a picture without a file is missing. The size of a picture that was stored before sizes were kept is
 * read from its file, once.
 */
export async function measurePictures(
  em: EntityManager,
  files: UseCaseContext['files'],
  pictures: readonly { name: string; octets: number | null }[],
): Promise<Map<string, number>> {
  const stored = new Map(pictures.map(({ name, octets }) => [name, octets]));
  const unknown = [...stored].flatMap(([name, octets]) => (octets === null ? [name] : []));
  const measured = await Promise.all(unknown.map(async (name) => ({ name, octets: await files.size(name) })));
  const found = measured.flatMap(({ name, octets }) => (octets === null ? [] : [{ name, octets }]));
  if (found.length > 0) await keepSizes(em, found);
  const known = [...stored].flatMap(([name, octets]) => (octets === null ? [] : [[name, octets] as const]));
  return new Map([...known, ...found.map(({ name, octets }) => [name, octets] as const)]);
}
