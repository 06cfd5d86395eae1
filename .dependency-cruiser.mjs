// Import rules between the parts of docs/architecture.md; test/imports.test.ts breaks each rule once. Type imports count.

const MODULES = [
  'identity',
  'catalogue',
  'payment',
  'enrolment',
  'content',
  'study',
  'training',
  'offline',
  'notification',
  'portal',
  'support',
];
const TESTS = '[.]test[.]tsx?$';
/** Files of this project, in contrast to packages and Node's modules. */
const OWN = '^(src|islands|cli|migrations|simulators|scripts|test|bench)/';

/** Tests may import anything; other code may not import a test. */
const code = (path, ...except) => ({ path, pathNot: [TESTS, ...except] });

const moduleOrder = MODULES.slice(0, -1).map((name, index) => ({
  name: `module-order-${name}`,
  comment: `${name} stands left of ${MODULES.slice(index + 1).join(', ')}: what they must do when something happens here runs as a domain event.`,
  from: code(`^src/modules/${name}/`),
  to: { path: `^src/modules/(${MODULES.slice(index + 1).join('|')})/` },
}));

export default {
  forbidden: [
    ...moduleOrder,
    {
      name: 'notification-apart',
      comment: 'Learners are notified by events and in the header, so that the module can be taken away.',
      from: code('^src/modules/(portal|support)/'),
      to: { path: '^src/modules/notification/' },
    },
    {
      name: 'module-known',
      comment: 'A module stands in the order, or its imports would be checked by nothing.',
      from: { path: '^src/modules/', pathNot: `^src/modules/(${MODULES.join('|')})/` },
      to: {},
    },
    {
      name: 'module-front-door',
      comment: 'Another module is entered through its index.ts.',
      from: code('^src/modules/([^/]+)/'),
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', '^src/modules/[^/]+/index[.]ts$'] },
    },
    {
      name: 'module-stands-on-platform-and-shared',
      comment: 'A module imports src/platform, src/shared and modules, nothing else of this project.',
      from: code('^src/modules/'),
      to: { path: OWN, pathNot: '^src/(modules|platform|shared)/' },
    },
    {
      name: 'texts-sees-no-database',
      comment: 'Texts are read in processes that have no database: not even by way of another file do they reach it, or what stands on it.',
      from: code('^src/modules/content/texts/'),
      to: {
        path: ['node_modules/(@mikro-orm|pg)/', '^src/platform/database/', '^src/modules/'],
        pathNot: '^src/modules/content/texts/',
        reachable: true,
      },
    },
    {
      name: 'platform-below-modules',
      comment: 'Every module stands on the platform: it knows none of them, nor what is built from them.',
      from: code('^src/platform/'),
      to: { path: OWN, pathNot: ['^src/(platform|shared)/', '^islands/'] },
    },
    {
      name: 'shared-is-a-leaf',
      comment: 'Browser and server share it: it imports only itself.',
      from: code('^src/shared/'),
      to: { path: OWN, pathNot: '^src/shared/' },
    },
    {
      name: 'shared-is-browser-safe',
      comment: 'No browser has the modules of Node.',
      from: code('^src/shared/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'islands-stand-apart',
      comment: 'Islands run in the browser: they import themselves and src/shared.',
      from: code('^islands/'),
      to: { path: OWN, pathNot: ['^islands/', '^src/shared/'] },
    },
    {
      name: 'views-in-kept-pages-alone',
      comment: 'The server renders views; where a browser shows what it keeps, it renders the same ones.',
      from: code('^(src|islands|cli)/', '^islands/offline/pages/views[.]ts$'),
      to: { path: '^views/' },
    },
    {
      name: 'islands-are-browser-safe',
      comment: 'No browser has the modules of Node.',
      from: code('^islands/'),
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'composition-front-doors',
      comment: 'modules.ts, kernel.ts, config.ts and the like enter a module through its index.ts.',
      from: code('^src/[^/]+$'),
      to: { path: '^src/modules/', pathNot: '^src/modules/[^/]+/index[.]ts$' },
    },
    {
      name: 'server-is-the-end',
      comment: 'Only server.ts listens; building the application never does.',
      from: code('^src/', '^src/server[.]ts$'),
      to: { path: '^src/server[.]ts$' },
    },
    {
      name: 'cli-front-doors',
      comment:
        'A command is a thin door: backup, config, database-roles, kernel, migrations, platform, shared and the index.ts of modules.',
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
      comment: 'The CLI is a door: nothing stands behind it. Checks read what it offers.',
      from: { pathNot: ['^cli/', '^scripts/checks/', TESTS] },
      to: { path: '^cli/' },
    },
    {
      name: 'nothing-imports-tools',
      comment: 'What runs does not depend on scripts, benchmarks and the support of tests.',
      from: code('^(src|islands|cli|migrations|simulators)/'),
      to: { path: '^(test|scripts|bench)/' },
    },
    {
      name: 'nothing-imports-tests',
      comment: 'A test file is run, never imported.',
      from: {},
      to: { path: TESTS },
    },
    {
      name: 'simulators-stand-apart',
      comment: "A provider's simulator knows its contract, not this application.",
      from: { path: '^simulators/' },
      to: { path: '^(src|islands|cli|migrations)/' },
    },
    {
      name: 'no-simulator-inside',
      comment: 'The application does not know that a provider is simulated.',
      from: code('^(src|islands|cli|migrations)/'),
      to: { path: '^simulators/' },
    },
    {
      name: 'no-development-dependency',
      comment: 'A production installation does not have it.',
      from: code('^(src|islands|cli|migrations|simulators)/'),
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'package.json names what is imported; what another package happens to bring along may go.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-broken-import',
      comment: 'What cannot be found cannot be checked either.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one file, or miss a third.',
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
