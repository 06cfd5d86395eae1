import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { FileStores } from './storage.ts';

/** Files that are under way at the same time: each may be 10 MB. */
const atOnce = 4;
/** Every folder in which files lie. */
const folders = [
  ['media', 'covers'],
  ['media', 'content'],
  ['documents', ''],
] as const;
/** Names that the site gives; what else lies there stays where it is. */
const ours = /^(covers|content)\/\w[\w-]*\.(webp|jpg)$|^[0-9a-f]{64}\.pdf$/;

interface Moving {
  /** Counts, and writes nothing. */
  dryRun?: boolean;
  /** What has been found equal in the other place goes from the first. */
  removeSource?: boolean;
  /** The site reads in the other place already. */
  isLive?: boolean;
  onProgress?(files: number): void;
}

/** Files and their bytes in the first place, and what became of them in the other. */
export interface Moved {
  files: number;
  bytes: number;
  copied: number;
  alreadyThere: number;
  /** Something else stood under the name. */
  replaced: number;
  removed: number;
  /** Not what their names say: left alone. */
  damaged: string[];
  /** The site reads something else under the name: nobody knows which of the two is right, and both are left alone. */
  differing: string[];
  /** By their paths, of those that are in the other place now. */
  arrived: Set<string>;
}

/**
 * Copies all files from one place to another, beside a running site, and reads each copy back: only what has been found equal counts as being there. Names are
 * never given twice to different files, so that it may be broken off and begun again, from several machines.
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
    // An editor may have deleted it meanwhile.
    if (!bytes) return;
    const path = `${kind}/${name}`;
    moved.files += 1;
    moved.bytes += bytes.length;
    if (kind === 'documents' && createHash('sha256').update(bytes).digest('hex') !== basename(name, '.pdf')) {
      moved.damaged.push(path);
      return;
    }
    const there = await to[kind].read(name);
    // A document that has come so far is what its name says, so that the other is not; the name of a picture says nothing.
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
