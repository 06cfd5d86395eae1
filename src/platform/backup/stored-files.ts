import type { FileStores } from '../files/storage.ts';
import type { BackupSubject } from './backup-subject.ts';
import { connect } from './snapshot.ts';

/** A file to which a row refers. */
export interface NamedFile {
  folder: 'media' | 'documents';
  name: string;
}

type Rows = { name: string }[];

/** Returns the files to which rows refer. @param ask runs a query and returns its rows */
export async function namedFiles(
  ask: (query: string) => Promise<Rows>,
  { storedFiles }: Pick<BackupSubject, 'storedFiles'>,
): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const { folder, query, filesOf } of storedFiles) {
    for (const { name } of await ask(query)) files.push(...filesOf(name).map((file) => ({ folder, name: file })));
  }
  return files;
}

/** Returns the path of a file in a backup and below DATA_DIR. */
export const pathOf = ({ folder, name }: NamedFile): string => `${folder}/${name}`;

const atOnce = 16;

/** Returns the paths of files that rows refer to but that are missing in the stores. */
export async function missingFiles(url: string, stores: FileStores, subject: Pick<BackupSubject, 'storedFiles'>): Promise<string[]> {
  const client = await connect(url);
  try {
    const missing: string[] = [];
    const files = await namedFiles(async (query) => (await client.query(query)).rows, subject);
    for (let start = 0; start < files.length; start += atOnce) {
      const some = files.slice(start, start + atOnce);
      const there = await Promise.all(some.map(({ folder, name }) => stores[folder].has(name)));
      missing.push(...some.filter((_, index) => !there[index]).map(pathOf));
    }
    return missing;
  } finally {
    await client.end();
  }
}
