import { spawnSync } from 'node:child_process';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { onlyLong } from '../test/support/long-form.ts';

// Takes minutes and needs buildah, so it runs in the long form only.

t.test('the image is built, starts on a database, and is healthy', { skip: onlyLong }, async (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/try-image.ts'], { cwd: projectRoot, encoding: 'utf8' });
  const [, missing] = /^skipped: (.+)$/m.exec(stdout) ?? [];
  if (missing) return void t.comment(missing);
  t.equal(status, 0, stderr.slice(-2_000));
  t.match(stdout, /^ok {6}the health check of the image$/m);
});
