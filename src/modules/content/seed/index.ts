export { formatFault } from './fault.ts';
export { importDrafts } from './import-drafts.ts';
export { loadSeed } from './load.ts';
export { readContentFolder } from './read-folder.ts';
