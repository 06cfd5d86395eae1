import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { BackupSubject } from './backup-subject.ts';
import { connect } from './snapshot.ts';

/** The files that rows name, by their paths below DATA_DIR. */
export async function namedFiles(client: pg.Client, { storedFiles }: Pick<BackupSubject, 'storedFiles'>): Promise<string[]> {
  const paths: string[] = [];
  for (const { folder, query, filesOf } of storedFiles) {
    const { rows } = await client.query<{ name: string }>(query);
    for (const { name } of rows) paths.push(...filesOf(name).map((file) => `${folder}/${file}`));
  }
  return paths;
}

/** Those of them that are not in the folder. */
export async function missingFiles(url: string, dataDir: string, subject: BackupSubject): Promise<string[]> {
  const client = await connect(url);
  try {
    const missing: string[] = [];
    for (const path of await namedFiles(client, subject)) {
      await access(join(dataDir, path)).catch(() => missing.push(path));
    }
    return missing;
  } finally {
    await client.end();
  }
}
