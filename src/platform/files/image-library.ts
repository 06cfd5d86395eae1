import { createRequire } from 'node:module';
import type sharp from 'sharp';

type Library = typeof sharp;

let loaded: Library | undefined;

/** sharp, once there is a picture to read: its libraries take longer to load than a command of the terminal to do its work. */
export function imageLibrary(): Library {
  loaded ??= load();
  return loaded;
}

function load(): Library {
  const library: Library = createRequire(import.meta.url)('sharp');
  // Each picture is seen once: what sharp would keep of it serves nobody.
  library.cache(false);
  return library;
}
