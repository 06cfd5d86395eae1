import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { checkImports, reportImports, rules } from '../scripts/checks/imports.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';

type Tree = Record<string, string>;

/** A small project that follows every rule. */
const clean: Tree = {
  'package.json': '{ "type": "module", "dependencies": { "fastify": "*", "zod": "*" }, "devDependencies": { "tap": "*", "vite": "*" } }',
  'src/server.ts': "import { app } from './app.ts'; export const server = app;",
  'src/app.ts': "import { payment } from './modules/payment/index.ts'; export const app = payment;",
  'src/kernel.ts': "import { clock } from './platform/clock.ts'; export const kernel = clock;",
  'src/migrations.ts': "import { up } from '../migrations/1.ts'; export const list = [up];",
  'src/platform/clock.ts':
    "import { readFileSync } from 'node:fs'; import { money } from '../shared/money.ts'; export const clock = [money, readFileSync];",
  'src/shared/money.ts': "import { z } from 'zod'; export const money = z; export interface Money { xaf: number }",
  'src/modules/identity/index.ts': "export { user } from './user.ts'; export type { User } from './user.ts';",
  'src/modules/identity/user.ts': 'export const user = 1; export interface User { id: string }',
  'src/modules/payment/index.ts': `
    import type { FastifyInstance } from 'fastify';
    import { clock } from '../../platform/clock.ts';
    import { type Money, money } from '../../shared/money.ts';
    import type { User } from '../identity/index.ts';
    export const payment = [clock, money]; export type Payment = [FastifyInstance, Money, User];`,
  'src/modules/payment/index.test.ts':
    "import 'tap'; import '../../app.ts'; import '../../../simulators/zitopay/server.ts'; import '../../../test/support/database.ts';",
  'islands/loader.tsx': "import { money } from '../src/shared/money.ts'; export const loader = money;",
  'cli/main.ts':
    "import { kernel } from '../src/kernel.ts'; import { user } from '../src/modules/identity/index.ts'; export const main = [kernel, user];",
  'migrations/1.ts': 'export const up = 1;',
  'simulators/zitopay/server.ts': "import Fastify from 'fastify'; export const simulator = Fastify;",
  'test/support/database.ts': "import { list } from '../../src/migrations.ts'; export const database = list;",
  'scripts/run.ts': "import { database } from '../test/support/database.ts'; export const run = database;",
};

/** Violations of every rule: by an import of a value, and by an import of a type. */
const planted: [rule: string, file: string, source: string, others?: Tree][] = [
  ['module-order-identity', 'src/modules/identity/left.ts', "import { payment } from '../payment/index.ts'; export default payment;"],
  [
    'module-order-identity',
    'src/modules/identity/left.ts',
    "import type { Payment } from '../payment/index.ts'; export type Left = Payment;",
  ],
  [
    'module-order-catalogue',
    'src/modules/catalogue/index.ts',
    "import { type Payment } from '../payment/index.ts'; export type Left = Payment;",
  ],
  ['module-order-payment', 'src/modules/payment/left.ts', "export type { E } from '../enrolment/index.ts';"],
  [
    'module-order-enrolment',
    'src/modules/enrolment/left.ts',
    "import type * as content from '../content/index.ts'; export type Left = content.E;",
  ],
  ['module-order-content', 'src/modules/content/left.ts', "export type { E } from '../study/index.ts';"],
  ['module-order-study', 'src/modules/study/left.ts', "import { E } from '../training/index.ts'; export default E;"],
  ['module-order-training', 'src/modules/training/left.ts', "import type { E } from '../questions/index.ts'; export type Left = E;"],
  ['module-order-questions', 'src/modules/questions/left.ts', "import type { E } from '../revision/index.ts'; export type Left = E;"],
  ['module-order-revision', 'src/modules/revision/left.ts', "import type { E } from '../offline/index.ts'; export type Left = E;"],
  ['module-order-offline', 'src/modules/offline/left.ts', "export const left = () => import('../notification/index.ts');"],
  ['module-order-notification', 'src/modules/notification/left.ts', "import type { E } from '../portal/index.ts'; export type Left = E;"],
  ['module-order-portal', 'src/modules/portal/left.ts', "import type { E } from '../support/index.ts'; export type Left = E;"],
  ['notification-apart', 'src/modules/portal/left.ts', "import { n } from '../notification/index.ts'; export default n;"],
  ['notification-apart', 'src/modules/support/left.ts', "import { n } from '../notification/index.ts'; export default n;"],
  ['module-known', 'src/modules/forum/index.ts', "import { user } from '../identity/index.ts'; export default user;"],
  ['module-front-door', 'src/modules/payment/past.ts', "import { user } from '../identity/user.ts'; export default user;"],
  ['module-front-door', 'src/modules/payment/past.ts', "import type { User } from '../identity/user.ts'; export type Past = User;"],
  ['module-stands-on-platform-and-shared', 'src/modules/payment/up.ts', "import { kernel } from '../../kernel.ts'; export default kernel;"],
  [
    'module-stands-on-platform-and-shared',
    'src/modules/payment/up.ts',
    "import type { app } from '../../app.ts'; export type Up = typeof app;",
  ],
  [
    'module-stands-on-platform-and-shared',
    'src/modules/payment/up.ts',
    "import { loader } from '../../../islands/loader.tsx'; export default loader;",
  ],
  ['texts-sees-no-database', 'src/modules/content/texts/up.ts', "import type { E } from '../index.ts'; export type Up = E;"],
  ['texts-sees-no-database', 'src/modules/content/texts/up.ts', "import { open } from '../../../platform/files.ts'; export default open;"],
  ['platform-below-modules', 'src/platform/up.ts', "import { user } from '../modules/identity/index.ts'; export default user;"],
  ['platform-below-modules', 'src/platform/up.ts', "import type { User } from '../modules/identity/index.ts'; export type Up = User;"],
  ['platform-below-modules', 'src/platform/up.ts', "import { kernel } from '../kernel.ts'; export default kernel;"],
  ['shared-is-a-leaf', 'src/shared/up.ts', "import { clock } from '../platform/clock.ts'; export default clock;"],
  ['shared-is-a-leaf', 'src/shared/up.ts', "import type { User } from '../modules/identity/index.ts'; export type Up = User;"],
  ['shared-is-browser-safe', 'src/shared/node.ts', "import { readFileSync } from 'node:fs'; export default readFileSync;"],
  ['islands-stand-apart', 'islands/far.tsx', "import { clock } from '../src/platform/clock.ts'; export default clock;"],
  ['islands-stand-apart', 'islands/far.tsx', "import type { User } from '../src/modules/identity/index.ts'; export type Far = User;"],
  [
    'offline-page-and-worker-apart',
    'islands/offline/worker/up.ts',
    "import { keep } from '../page/keep.ts'; export default keep;",
    { 'islands/offline/page/keep.ts': 'export const keep = 1;' },
  ],
  [
    'offline-page-and-worker-apart',
    'islands/offline/both/up.ts',
    "import type { Scope } from '../worker/scope.ts'; export type Up = Scope;",
    { 'islands/offline/worker/scope.ts': 'export interface Scope { n: 1 }' },
  ],
  ['islands-are-browser-safe', 'islands/node.tsx', "import { join } from 'node:path'; export default <p>{join('a')}</p>;"],
  [
    'views-in-kept-pages-alone',
    'islands/view.ts',
    "import view from '../views/page.eta'; export default view;",
    { 'views/page.eta': '<p>Page</p>' },
  ],
  ['composition-front-doors', 'src/modules.ts', "import { user } from './modules/identity/user.ts'; export default user;"],
  ['server-is-the-end', 'src/again.ts', "import { server } from './server.ts'; export default server;"],
  ['cli-front-doors', 'cli/deep.ts', "import { user } from '../src/modules/identity/user.ts'; export default user;"],
  ['cli-front-doors', 'cli/deep.ts', "import type { app } from '../src/app.ts'; export type Deep = typeof app;"],
  ['nothing-imports-cli', 'src/door.ts', "import { main } from '../cli/main.ts'; export default main;"],
  ['nothing-imports-cli', 'scripts/door.ts', "import type { main } from '../cli/main.ts'; export type Door = typeof main;"],
  ['nothing-imports-tools', 'src/tool.ts', "import { run } from '../scripts/run.ts'; export default run;"],
  [
    'nothing-imports-tools',
    'src/tool.ts',
    "import type { database } from '../test/support/database.ts'; export type Tool = typeof database;",
  ],
  ['nothing-imports-tests', 'test/again.ts', "import '../src/modules/payment/index.test.ts';"],
  ['simulators-stand-apart', 'simulators/zitopay/inside.ts', "import { money } from '../../src/shared/money.ts'; export default money;"],
  [
    'simulators-stand-apart',
    'simulators/zitopay/inside.test.ts',
    "import type { Money } from '../../src/shared/money.ts'; export type Inside = Money;",
  ],
  ['no-simulator-inside', 'src/simulated.ts', "import { simulator } from '../simulators/zitopay/server.ts'; export default simulator;"],
  ['no-development-dependency', 'src/platform/dev.ts', "import { createServer } from 'vite'; export default createServer;"],
  ['no-undeclared-dependency', 'src/platform/hidden.ts', "import pino from 'pino'; export default pino;"],
  ['no-broken-import', 'src/platform/broken.ts', "import type { Gone } from './gone.ts'; export type Broken = Gone;"],
  ['no-inline-import-type', 'src/platform/inline.ts', "export type Inline = import('../modules/identity/index.ts').User;"],
  [
    'no-mutual-folders',
    'src/modules/payment/providers/registry.ts',
    "import { settle } from '../settlement/settle.ts'; export const registry = settle;",
    {
      'src/modules/payment/settlement/settle.ts':
        "import type { Contract } from '../providers/contract.ts'; export const settle = (_: Contract) => 1;",
      'src/modules/payment/providers/contract.ts': 'export interface Contract { n: 1 }',
    },
  ],
  [
    'no-mutual-folders',
    'src/modules/identity/sessions/session.ts',
    "import { user } from '../user.ts'; export const session = user;",
    {
      'src/modules/identity/guards.ts': "import { cookie } from './sessions/cookie.ts'; export const guards = cookie;",
      'src/modules/identity/sessions/cookie.ts': 'export const cookie = 1;',
    },
  ],
  [
    'no-circular',
    'src/shared/a.ts',
    "import type { B } from './b.ts'; export type A = B; export const a = 1;",
    { 'src/shared/b.ts': "import { a } from './a.ts'; export interface B { a: typeof a }" },
  ],
];

/** Modules that the planted files import and that the clean tree lacks. */
const neighbours: Tree = {
  'src/modules/enrolment/index.ts': 'export interface E { n: 1 }',
  'src/modules/content/index.ts': 'export interface E { n: 1 }',
  'src/modules/study/index.ts': 'export interface E { n: 1 }',
  'src/modules/training/index.ts': 'export const E = 1;',
  'src/modules/questions/index.ts': 'export const E = 1;',
  'src/modules/revision/index.ts': 'export interface E { n: 1 }',
  'src/modules/offline/index.ts': 'export interface E { n: 1 }',
  'src/modules/notification/index.ts': 'export const n = 1;',
  'src/platform/files.ts': "export { open } from './database/open.ts';",
  'src/platform/database/open.ts': 'export const open = 1;',
  'src/modules/portal/index.ts': 'export interface E { n: 1 }',
  'src/modules/support/index.ts': 'export interface E { n: 1 }',
};

async function plant(t: Test, files: Tree): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prepa-imports-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), source);
  }
  return folder;
}

t.test('a clean tree passes, and every file is scanned', async (t) => {
  const { violations, scanned } = await checkImports(await plant(t, clean));
  t.same(violations, []);
  t.equal(scanned, Object.keys(clean).length - 1);
});

t.test('each violation is found, and its rule named', async (t) => {
  for (const [rule, file, source, others] of planted) {
    const { violations } = await checkImports(await plant(t, { ...clean, ...neighbours, ...others, [file]: source }));
    const named = violations.map((line) => line.slice(0, line.indexOf(':')));
    t.same([...new Set(named)], [rule], `${rule}: ${source}`);
  }
});

t.test('every rule has a planted violation', async (t) => {
  t.same(new Set(planted.map(([rule]) => rule)), new Set(rules.map(({ name }) => name)));
});

t.test('the report names rule, files and reason, and a scan of too few files fails', async (t) => {
  const folder = await plant(t, {
    ...clean,
    'src/shared/up.ts': "import type { kernel } from '../kernel.ts'; export type Up = typeof kernel;",
  });
  t.match(await reportImports(folder, 1), /shared-is-a-leaf: src\/shared\/up\.ts -> src\/kernel\.ts\n\n.*may import only itself/);
  t.match(await reportImports(await plant(t, {}), 1), /only 0 modules were scanned/);
  t.equal(await reportImports(await plant(t, clean), 1), null);
});
