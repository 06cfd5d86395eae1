import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a data folder for a test. The folder of built assets is shared by the whole run: the assets never change, and each application
 * would copy more than a hundred files, and each test delete them.
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
