import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A data folder of a test's own, but for the built assets, which never change: one folder holds them for a whole run, where each application
 * that starts would copy more than a hundred files, and each test delete them.
 */
export function createDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prepa-data-'));
  if (process.env.TEST_FOLDER) {
    const assets = join(process.env.TEST_FOLDER, 'assets');
    mkdirSync(assets, { recursive: true });
    symlinkSync(assets, join(folder, 'assets'));
  }
  return folder;
}
