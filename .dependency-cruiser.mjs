import { readFileSync } from 'node:fs';

// Import rules between the parts of docs/architecture.md. test/imports.test.ts breaks each rule once. Type imports count as imports.

/** In the order in which src/modules.ts registers them. */
const [, registered] = /^export const modules[^=]*= \[([^\]]*)\]/m.exec(readFileSync(new URL('src/modules.ts', import.meta.url), 'utf8'));
const MODULES = registered.match(/\w+/g);
const TESTS = '[.]test[.]tsx?$';
/** Files of this project, not packages or Node's modules. */
const OWN = '^(src|islands|cli|migrations|simulators|scripts|test|bench)/';

/** Tests may import anything; other code may not import a test. */
const code = (path, ...except) => ({ path, pathNot: [TESTS, ...except] });

const moduleOrder = MODULES.slice(0, -1).map((name, index) => ({
  name: `module-order-${name}`,
  comment: `${name} may not import modules after it in the module order (${MODULES.slice(index + 1).join(', ')}). Publish a domain event, which they subscribe to.`,
  from: code(`^src/modules/${name}/`),
  to: { path: `^src/modules/(${MODULES.slice(index + 1).join('|')})/` },
}));

export default {
  forbidden: [
    ...moduleOrder,
    {
      name: 'notification-apart',
      comment: 'portal and support may not import notification, so that the module stays removable. Publish a domain event instead.',
      from: code('^src/modules/(portal|support)/'),
      to: { path: '^src/modules/notification/' },
    },
    {
      name: 'module-known',
      comment: 'A folder of src/modules is missing in MODULES (.dependency-cruiser.mjs), so its imports would not be checked.',
      from: { path: '^src/modules/', pathNot: `^src/modules/(${MODULES.join('|')})/` },
      to: {},
    },
    {
      name: 'module-front-door',
      comment: 'Import another module only through its index.ts.',
      from: code('^src/modules/([^/]+)/'),
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index[.]ts$'] },
    },
    {
      name: 'module-stands-on-platform-and-shared',
      comment: 'A module may import src/platform, src/shared and other modules, nothing else of this project.',
      from: code('^src/modules/'),
      to: { path: OWN, pathNot: '^src/(modules|platform|shared)/' },
    },
    {
      name: 'texts-sees-no-database',
      comment: 'content/texts runs in processes without a database: it may not import database code or other modules, not even indirectly.',
      from: code('^src/modules/content/texts/'),
      to: {
        path: ['node_modules/(@mikro-orm|pg)/', '^src/platform/database/', '^src/modules/'],
        pathNot: '^src/modules/content/texts/',
        reachable: true,
      },
    },
    {
      name: 'platform-below-modules',
      comment: 'src/platform may import only itself, src/shared and islands: modules depend on the platform, never the reverse.',
      from: code('^src/platform/'),
      to: { path: OWN, pathNot: ['^src/(platform|shared)/', '^islands/'] },
    },
    {
      name: 'shared-is-a-leaf',
      comment: 'src/shared is used by browser and server: it may import only itself.',
      from: code('^src/shared/'),
      to: { path: OWN, pathNot: '^src/shared/' },
    },
    {
      name: 'shared-is-browser-safe',
      comment: 'src/shared also runs in the browser, which has no Node modules.',
      from: code('^src/shared/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'islands-stand-apart',
      comment: 'Islands run in the browser: they may import only islands and src/shared.',
      from: code('^islands/'),
      to: { path: OWN, pathNot: ['^islands/', '^src/shared/'] },
    },
    {
      name: 'views-in-kept-pages-alone',
      comment: 'Only the lists of views for kept pages may import views; everything else of the browser gets HTML from the server.',
      from: code('^(src|islands|cli)/', '^islands/offline/page/(pages/(views|learner-pages)|session/views)[.]ts$'),
      to: { path: '^views/' },
    },
    {
      name: 'offline-page-and-worker-apart',
      comment: 'In islands/offline, page and worker run in different threads: they share only both, which imports neither.',
      from: code('^islands/offline/(page|worker|both)/'),
      to: { path: '^islands/offline/(page|worker)/', pathNot: '^islands/offline/$1/' },
    },
    {
      name: 'islands-are-browser-safe',
      comment: 'Islands run in the browser, which has no Node modules.',
      from: code('^islands/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'composition-front-doors',
      comment: 'Files directly in src (modules.ts, kernel.ts, config.ts) import a module only through its index.ts.',
      from: code('^src/[^/]+$'),
      to: { path: '^src/modules/', pathNot: '^src/modules/[^/]+/index[.]ts$' },
    },
    {
      name: 'server-is-the-end',
      comment: 'No other file of src may import src/server.ts: importing it would start the server.',
      from: code('^src/', '^src/server[.]ts$'),
      to: { path: '^src/server[.]ts$' },
    },
    {
      name: 'cli-front-doors',
      comment: 'A command may import backup, config, database-roles, kernel, migrations, platform, shared and the index.ts of modules.',
      from: code('^cli/'),
      to: {
        path: OWN,
        pathNot: [
          '^cli/',
          '^src/(backup|config|database-roles|kernel|migrations)[.]ts$',
          '^src/(platform|shared)/',
          '^src/modules/[^/]+/index[.]ts$',
        ],
      },
    },
    {
      name: 'nothing-imports-cli',
      comment: 'Only the CLI itself, scripts/checks and tests may import cli.',
      from: { pathNot: ['^cli/', '^scripts/checks/', TESTS] },
      to: { path: '^cli/' },
    },
    {
      name: 'nothing-imports-tools',
      comment: 'Application code may not import scripts, benchmarks or test support.',
      from: code('^(src|islands|cli|migrations|simulators)/'),
      to: { path: '^(test|scripts|bench)/' },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'Test files may not be imported.',
      from: {},
      to: { path: TESTS },
    },
    {
      name: 'simulators-stand-apart',
      comment: "A simulator implements the provider's contract and may not import the application.",
      from: { path: '^simulators/' },
      to: { path: '^(src|islands|cli|migrations)/' },
    },
    {
      name: 'no-simulator-inside',
      comment: 'The application may not import a simulator.',
      from: code('^(src|islands|cli|migrations)/'),
      to: { path: '^simulators/' },
    },
    {
      name: 'no-development-dependency',
      comment: 'Development dependencies are missing in a production installation.',
      from: code('^(src|islands|cli|migrations|simulators)/'),
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'The package is not declared in package.json. A transitive dependency may disappear.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-broken-import',
      comment: 'The imported file or package was not found.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-circular',
      comment: 'Circular import. Merge the two files, or move the shared part to a third file.',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    // With its default parser and TypeScript 7, dependency-cruiser scans no file and reports success.
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/[.]vite)' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
