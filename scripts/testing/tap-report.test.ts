import t from 'tap';
import { type FileResult, TapReport } from './tap-report.ts';

/** Output of tap 21. */
const output = `TAP version 14
1..4
# Subtest: src/a.test.ts
    # Subtest: prices
        ok 1 - five thousand
        not ok 2 - no centimes
          ---
          diff: |
            -2
            +1
          ...
        
    printed by the code
        1..2
    not ok 1 - prices # time=21.661ms
      ---
      at:
        lineNumber: 2
      ...
    
    ok 2 - later # SKIP
    ok 3 - some day # TODO
    1..3
    # time=39.158ms
not ok 1 - src/a.test.ts # time=39.158ms
  ---
  exitCode: 1
  ...

# Subtest: src/crashes.test.ts
    1..0 # no tests found
not ok 2 - src/crashes.test.ts # time=394.361ms
  ---
  exitCode: 1
  ...

# Subtest: src/empty.test.ts
    1..0 # no tests found
ok 3 - src/empty.test.ts # SKIP no tests found

# Subtest: src/fine.test.ts
    # Subtest: a name - with a dash # and a hash
        ok 1 - should be equal
        1..1
    ok 1 - a name - with a dash # and a hash # time=3ms
    
    ok 2 - should be equal
    1..2
ok 4 - src/fine.test.ts # time=20.28ms

# { total: 14, pass: 4, fail: 7, todo: 1, skip: 2 }
`;

t.test('counts assertions and keeps the details of failures', async (t) => {
  const files: FileResult[] = [];
  const report = new TapReport((file) => files.push(file));
  for (const line of output.split('\n')) report.line(line);
  report.end();

  t.match(report, { passed: 3, failed: 3, skipped: 2 });
  t.same(
    files.map(({ name, ok }) => [name, ok]),
    [
      ['src/a.test.ts', false],
      ['src/crashes.test.ts', false],
      ['src/empty.test.ts', false],
      ['src/fine.test.ts', true],
    ],
  );
  t.same(files[0]?.failures, [{ path: ['src/a.test.ts', 'prices', 'no centimes'], details: ['diff: |', '  -2', '  +1'] }]);
  t.same(files[0]?.output, ['    printed by the code']);
  t.same(files[1]?.failures, [{ path: ['src/crashes.test.ts'], details: ['exitCode: 1'] }], 'a file that ends before its first test');
  t.same(files[2]?.failures[0]?.path, ['src/empty.test.ts holds no test'], 'a file without a test');
});
