import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface SmallDisk {
  folder: string;
  /** Leaves no byte. */
  fill(): void;
  /** Gives back what `fill` has taken. */
  free(): void;
}

/** A file system of a few megabytes, gone with the test. Null, and a line that says so, where this process may not mount one: it takes root. */
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
