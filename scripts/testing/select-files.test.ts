import t from 'tap';
import { selectFiles } from './select-files.ts';

t.test('slow files run only on request', async (t) => {
  const root = t.testdir({
    src: {
      'pays.test.ts': '// Money.\n',
      'restores.test.ts': "import t from 'tap';\n// Slow: it restores a site.\n",
      'says.test.ts': "t.match(output, '// Slow: ');\n",
    },
  });
  const [pays, restores, says] = ['src/pays.test.ts', 'src/restores.test.ts', 'src/says.test.ts'] as const;

  t.same(selectFiles([], { root }), { files: [pays, says], leftOut: 1 });
  t.same(selectFiles([], { root, withSlow: true }), { files: [pays, restores, says], leftOut: 0 });
  t.same(selectFiles([restores], { root }), { files: [restores], leftOut: 0 }, 'selects a file by its path');
  t.same(
    selectFiles(['rest', restores, 'pays'], { root }),
    { files: [restores, pays], leftOut: 0 },
    'selects a file by a part of its path, and each file once',
  );
  t.same(selectFiles(['src'], { root }), { files: [pays, restores, says], leftOut: 0 }, 'selects the files of a folder');
  t.same(selectFiles(['nothing'], { root }), { files: [], leftOut: 0 });
});
