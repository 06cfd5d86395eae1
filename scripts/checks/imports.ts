import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFileSync } from '@swc/core';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { mutualFolders } from './mutual-folders.ts';

const FOLDERS = ['src', 'islands', 'cli', 'migrations', 'simulators', 'scripts', 'test', 'bench'];
/** The project had more modules than this when the check was written; fewer means that a folder is no longer scanned. */
const MINIMUM_MODULES = 100;

const INLINE = {
  name: 'no-inline-import-type',
  comment: "dependency-cruiser does not see import('./file.ts').Type: write an import type of its own.",
};

const MUTUAL = {
  name: 'no-mutual-folders',
  comment:
    'Two folders that import each other are one folder, or miss a third. What stands directly in a folder counts as one of its folders.',
};

interface Rule {
  name: string;
  comment: string;
}

interface ImportCheck {
  /** One line per violation, beginning with the broken rule's name. */
  violations: string[];
  scanned: number;
}

const { options = {}, ...ruleSet } = await extractConfig(join(projectRoot, '.dependency-cruiser.mjs'));
const { enhancedResolveOptions, ...cruiseOptions } = options;

export const rules: Rule[] = [...((ruleSet.forbidden ?? []) as Rule[]), INLINE, MUTUAL];

/** Checks the import rules of the project in `folder`. */
export async function checkImports(folder = projectRoot): Promise<ImportCheck> {
  const { output } = await cruise(
    FOLDERS.filter((name) => existsSync(join(folder, name))),
    { ...(cruiseOptions as ICruiseOptions), baseDir: folder, validate: true, ruleSet },
    enhancedResolveOptions as never,
  );
  const { modules, summary } = output as ICruiseResult;
  const own = modules.map(({ source }) => source).filter((source) => FOLDERS.some((name) => source.startsWith(`${name}/`)));
  const cruised = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map((step) => step.name).join(' -> ') : to;
    return `${rule.name}: ${from} -> ${path}`;
  });
  const inline = own.filter((source) => hasInlineImportType(join(folder, source))).map((source) => `${INLINE.name}: ${source}`);
  const imports = modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
  const mutual = mutualFolders(imports.filter(({ from, to }) => !isTest(from) && houseOf(from) !== null && houseOf(from) === houseOf(to)));
  return { violations: [...cruised, ...inline, ...mutual.map((line) => `${MUTUAL.name}: ${line}`)], scanned: own.length };
}

/** Tests may import from anywhere. */
const isTest = (source: string): boolean => /\.test\.tsx?$/.test(source);

/** Returns the module or the platform that a file belongs to. Other rules check the order between modules. */
const houseOf = (source: string): string | null => /^src\/(modules\/[^/]+|platform)\//.exec(source)?.[0] ?? null;

function hasInlineImportType(file: string): boolean {
  // Parsing is slow, so files without `import(` are skipped.
  if (!/\.tsx?$/.test(file) || !existsSync(file) || !/\bimport\s*\(/.test(readFileSync(file, 'utf8'))) return false;
  return JSON.stringify(parseFileSync(file, { syntax: 'typescript', tsx: file.endsWith('x') })).includes('"type":"TsImportType"');
}

/** Returns a readable report of the violations, or null when there are none. */
export async function reportImports(folder = projectRoot, minimum = MINIMUM_MODULES): Promise<string | null> {
  const { violations, scanned } = await checkImports(folder);
  if (scanned < minimum) return `only ${scanned} modules were scanned, at least ${minimum} were expected`;
  if (violations.length === 0) return null;
  const broken = new Set(violations.map((line) => line.split(':')[0]));
  const reasons = rules.filter(({ name }) => broken.has(name)).map(({ name, comment }) => `  ${name}: ${comment}`);
  return [...violations, '', ...reasons].join('\n');
}

if (import.meta.main) {
  const problem = await reportImports(process.argv[2]);
  console.log(problem ?? 'import rules: fine');
  process.exitCode = problem ? 1 : 0;
}
