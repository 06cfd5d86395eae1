import { createHash } from 'node:crypto';
import { z } from 'zod';
import { damaged, refused } from './backup-errors.ts';

/** Increased when earlier code could no longer read a backup. */
export const backupFormat = 1;
export const manifestName = 'manifest.json';
/** The manifest's SHA-256 in the format of `sha256sum`. It is the last entry, so an interrupted backup has none. */
export const sealName = 'manifest.sha256';

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** The first entry: the columns of each table, needed to read the rows. */
export const tablesName = 'tables.json';
/** Allowed names: none leads outside the backed-up folders of DATA_DIR. */
const partName = z.string().regex(/^(tables\.json|tables\/[a-z_][a-z0-9_]*\/\d{6}\.copy\.gz|(media|documents)\/\w[\w-]*([./]\w[\w-]*)*)$/);

const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** Versions of the product that wrote the backup, and of PostgreSQL. */
  product: z.string(),
  postgres: z.string(),
  /** Migrations of the database, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** Time of the snapshot, by the database's clock. */
  snapshot: z.iso.datetime(),
  finished: z.iso.datetime(),
  durationMs: count,
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: count,
      /** SHA-256 of the text that COPY writes, all parts together. */
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  /** Totals by their groups; see BackupSubject. */
  totals: z.array(z.record(z.string(), z.string())),
  /** Whether the backup contains pictures and documents. */
  media: z.boolean(),
  /** Files that rows refer to but that were missing: deleted since the snapshot, or missing before. */
  absent: z.array(z.string()),
  parts: z.array(z.object({ name: partName, bytes: count, sha256 })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableEntry = Manifest['tables'][number];
export type PartEntry = Manifest['parts'][number];

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the manifest's two entries: the manifest and its checksum. */
export function sealed(manifest: Manifest): [name: string, bytes: Buffer][] {
  const bytes = Buffer.from(`${JSON.stringify(manifest)}\n`);
  return [
    [manifestName, bytes],
    [sealName, Buffer.from(`${digestOf(bytes)}  ${manifestName}\n`)],
  ];
}

/** Parses the manifest. @throws AppError if its checksum does not match, or its format is newer than this code */
export function readManifest(bytes: Buffer, seal: Buffer): Manifest {
  if (seal.toString() !== `${digestOf(bytes)}  ${manifestName}\n`) throw damaged('son manifeste a été modifié');
  const read = parse(bytes);
  if (Number((read as { format?: unknown })?.format) > backupFormat) throw tooNew();
  const manifest = manifestSchema.safeParse(read);
  if (!manifest.success) throw damaged("son manifeste n'en est pas un", manifest.error);
  return manifest.data;
}

export const tooNew = () =>
  refused(
    "Cette sauvegarde vient d'une version plus récente que celle-ci : installez cette version-là, puis recommencez. Rien n'a été changé.",
  );

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw damaged("son manifeste n'est pas lisible", cause);
  }
}
