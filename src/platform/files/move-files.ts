import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { FileStores } from './storage.ts';

/** Number of files copied at the same time; each may have 10 MB. */
const atOnce = 4;
const folders = [
  ['media', 'covers'],
  ['media', 'content'],
  ['documents', ''],
] as const;
/** Names that the site gives to files; other files are left alone. */
const ours = /^(covers|content)\/\w[\w-]*\.(webp|jpg)$|^[0-9a-f]{64}\.pdf$/;

interface Moving {
  /** Counts the files without writing any. */
  dryRun?: boolean;
  /** Deletes files from the source once they are found equal in the target. */
  removeSource?: boolean;
  /** The site already reads from the target. */
  isLive?: boolean;
  onProgress?(files: number): void;
}

/** Number and bytes of the files in the source, and the result for the target. */
export interface Moved {
  files: number;
  bytes: number;
  copied: number;
  alreadyThere: number;
  /** The target had a different file under this name. */
  replaced: number;
  removed: number;
  /** Documents whose bytes do not match their names; left alone. */
  damaged: string[];
  /** Pictures that differ in the target from which the site already reads. Which one is right is unknown, so both are left alone. */
  differing: string[];
  /** Paths of the files that are now in the target. */
  arrived: Set<string>;
}

/**
 * Copies all files from one store to another while the site runs, and reads each copy back: only an equal copy counts. Names are never
 * reused for other files, so the copy may be interrupted and repeated, also from several machines.
 */
export async function moveFiles(
  from: FileStores,
  to: FileStores,
  { dryRun = false, removeSource = false, isLive = false, onProgress }: Moving = {},
): Promise<Moved> {
  const moved: Moved = {
    files: 0,
    bytes: 0,
    copied: 0,
    alreadyThere: 0,
    replaced: 0,
    removed: 0,
    damaged: [],
    differing: [],
    arrived: new Set(),
  };

  async function move(kind: 'media' | 'documents', name: string): Promise<void> {
    const bytes = await from[kind].read(name);
    // An editor may have deleted the file in the meantime.
    if (!bytes) return;
    const path = `${kind}/${name}`;
    moved.files += 1;
    moved.bytes += bytes.length;
    if (kind === 'documents' && createHash('sha256').update(bytes).digest('hex') !== basename(name, '.pdf')) {
      moved.damaged.push(path);
      return;
    }
    const there = await to[kind].read(name);
    // A document that reaches this line matches its name (its SHA-256), so the target's copy is wrong. A picture's name proves nothing.
    if (isLive && kind === 'media' && there && !there.equals(bytes)) {
      moved.differing.push(path);
      return;
    }
    if (there?.equals(bytes)) moved.alreadyThere += 1;
    else {
      if (!dryRun) await copy(kind, name, bytes);
      if (there) moved.replaced += 1;
      else moved.copied += 1;
    }
    if (dryRun && !there?.equals(bytes)) return;
    moved.arrived.add(path);
    if (!removeSource || dryRun) return;
    await from[kind].remove([name]);
    moved.removed += 1;
  }

  async function copy(kind: 'media' | 'documents', name: string, bytes: Buffer): Promise<void> {
    await to[kind].write(name, bytes);
    if (!(await to[kind].read(name))?.equals(bytes)) throw new Error(`${kind}/${name} was written, and reads otherwise`);
  }

  for (const [kind, folder] of folders) {
    const names = from[kind].list(folder, new Date(Date.now() + 86_400_000))[Symbol.asyncIterator]();
    const lane = async () => {
      for (let next = await names.next(); !next.done; next = await names.next()) {
        if (!ours.test(next.value)) continue;
        await move(kind, next.value);
        onProgress?.(moved.files);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }
  return moved;
}
