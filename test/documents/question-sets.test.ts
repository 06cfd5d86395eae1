import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { filesOfSets, measureSet } from './question-sets.ts';

const folder = join(projectRoot, '../shared/questions');

t.test(
  'sets of questions are imported from each form as expected.json says',
  { skip: existsSync(folder) ? false : `${folder} is not there` },
  async (t) => {
    const files = filesOfSets(folder);
    t.ok(files.length > 0);
    for (const file of files) {
      const { found, expected, faults } = await measureSet(join(folder, file));
      t.same({ found, faults }, { found: expected, faults: [] }, file);
    }
  },
);
