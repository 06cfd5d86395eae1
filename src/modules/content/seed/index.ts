export { formatFault } from './fault.ts';
export { loadSeed } from './load.ts';
export { readContentFolder } from './read-folder.ts';
