import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface SmallDisk {
  folder: string;
  /** Fills the disk completely. */
  fill(): void;
  /** Frees the space used by `fill`. */
  free(): void;
}

/**
 * Mounts a file system of a few megabytes until the test ends. Returns null, after a comment, when this process may not mount one: it needs
 * root.
 */
export function createSmallDisk(t: Pick<Test, 'teardown' | 'comment'>, megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'prepa-disk-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    t.comment('skipped: only root may mount a small disk');
    return null;
  }
  t.teardown(() => execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, '.ballast');
  return {
    folder,
    fill() {
      for (const page = Buffer.alloc(4096); ; ) {
        try {
          writeFileSync(ballast, page, { flag: 'a' });
        } catch {
          return;
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}
