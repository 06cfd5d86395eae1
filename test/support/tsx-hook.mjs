// Node strips types but does not support JSX: .tsx files of islands are compiled as by Vite, views as by the build, and style sheets become
// empty modules.
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';

registerHooks({
  load(url, context, nextLoad) {
    const { pathname, protocol } = new URL(url);
    if (protocol !== 'file:') return nextLoad(url, context);
    if (pathname.endsWith('.css')) return { format: 'module', source: 'export default {};', shortCircuit: true };
    if (pathname.endsWith('.eta')) return { format: 'module', source: compileView(fileURLToPath(url)), shortCircuit: true };
    if (!pathname.endsWith('.tsx')) return nextLoad(url, context);
    return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
  },
});

/** Loaded with the first file that needs it, since most processes do not. */
let transformSync;

function compile(file) {
  transformSync ??= loadCompiler();
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), {
    jsx: { runtime: 'automatic', importSource: '#jsx' },
    sourcemap: true,
  });
  if (errors.length > 0) throw errors[0];
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}

function compileView(file) {
  const { compiledView } = createRequire(import.meta.url)('../../scripts/building/compiled-views.ts');
  return compiledView(readFileSync(file, 'utf8'));
}

function loadCompiler() {
  // Compiled code has other line numbers than its source. Source maps of libraries, of which there are hundreds, would slow every process
  // down.
  setSourceMapsSupport(true, { nodeModules: false });
  // Vite depends on this compiler; it is resolved from Vite because package.json does not list it.
  const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'));
  return fromVite('rolldown/utils').transformSync;
}
