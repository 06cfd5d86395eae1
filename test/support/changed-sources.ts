import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** One place of a source that reads otherwise. */
export interface SourceChange {
  file: string;
  /** Stands in the file once. */
  from: string;
  to: string;
}

/**
 * Changes the sources that this process loads from now on: for faults that a test must find.
 * @throws Error when a source is loaded whose text is no longer what is to be changed
 */
export function changeSources(name: string, changes: readonly SourceChange[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const here = changes.filter(({ file }) => url === pathToFileURL(`${projectRoot}/${file}`).href);
      if (here.length === 0) return loaded;
      let source = String(loaded.source);
      for (const { file, from, to } of here) {
        if (source.split(from).length !== 2) throw new Error(`${name}: what is to be changed stands not once in ${file}`);
        source = source.replace(from, () => to);
      }
      return { ...loaded, source };
    },
  });
}
