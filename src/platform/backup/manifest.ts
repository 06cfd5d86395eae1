import { createHash } from 'node:crypto';
import { z } from 'zod';
import { damaged, refused } from './backup-errors.ts';

/** Raised when a backup is written in a way that earlier code cannot read. */
export const backupFormat = 1;
export const manifestName = 'manifest.json';
/** The manifest's own SHA-256 as `sha256sum` writes it: the last entry, which no backup that was broken off has. */
export const sealName = 'manifest.sha256';

const count = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** The first entry: each table's columns, without which its rows say nothing. */
export const tablesName = 'tables.json';
/** Names lead nowhere but into the folders of DATA_DIR that are backed up. */
const partName = z.string().regex(/^(tables\.json|tables\/[a-z_][a-z0-9_]*\/\d{6}\.copy\.gz|(media|documents)\/\w[\w-]*([./]\w[\w-]*)*)$/);

const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** Of the product that wrote it, and of its server. */
  product: z.string(),
  postgres: z.string(),
  /** Names of those that the database had, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** When the rows were as they stand here, by the database's clock. */
  snapshot: z.iso.datetime(),
  finished: z.iso.datetime(),
  durationMs: count,
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: count,
      /** Of the text that COPY writes, all parts together. */
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  /** What was added up, by its groups; see BackupSubject. */
  totals: z.array(z.record(z.string(), z.string())),
  /** Whether pictures and documents are in it. */
  media: z.boolean(),
  /** Files that the rows name and that were not there: deleted since the snapshot, or missing before. */
  absent: z.array(z.string()),
  parts: z.array(z.object({ name: partName, bytes: count, sha256 })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableEntry = Manifest['tables'][number];
export type PartEntry = Manifest['parts'][number];

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The manifest's two entries: itself, and its seal. */
export function sealed(manifest: Manifest): [name: string, bytes: Buffer][] {
  const bytes = Buffer.from(`${JSON.stringify(manifest)}\n`);
  return [
    [manifestName, bytes],
    [sealName, Buffer.from(`${digestOf(bytes)}  ${manifestName}\n`)],
  ];
}

/** @throws AppError where the seal is another manifest's, or this code does not know how to read it */
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
