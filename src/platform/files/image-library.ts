import { createRequire } from 'node:module';
import type sharp from 'sharp';

type Library = typeof sharp;

let loaded: Library | undefined;

/** Returns sharp, loaded at first use: loading it takes longer than most CLI commands run. */
export function imageLibrary(): Library {
  loaded ??= load();
  return loaded;
}

function load(): Library {
  const library: Library = createRequire(import.meta.url)('sharp');
  // Each picture is processed once, so a cache would never be used.
  library.cache(false);
  return library;
}
