import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** A replacement in a source file. */
export interface SourceChange {
  file: string;
  /** Occurs in the file exactly once. */
  from: string;
  to: string;
}

/**
 * Changes sources while this process loads them, to plant faults that a test must find.
 * @throws Error when a source is loaded that does not contain the text to replace exactly once
 */
export function changeSources(name: string, changes: readonly SourceChange[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = changes.filter(({ file }) => url === pathToFileURL(`${projectRoot}/${file}`).href);
      if (here.length === 0) return loaded;
      let source = String(loaded.source);
      for (const { file, from, to } of here) {
        if (source.split(from).length !== 2) throw new Error(`${name}: the code to change must occur exactly once in ${file}`);
        source = source.replace(from, () => to);
      }
      return { ...loaded, source };
    },
  });
}
