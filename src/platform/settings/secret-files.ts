import { readFileSync } from 'node:fs';
import type { Variables } from './production-settings.ts';

const maxBytes = 64 * 1024;

/**
 * Sets NAME to the content of the file that NAME_FILE names, without the final line break that editors add.
 * @returns the variables without any NAME_FILE, and a fault in French, by NAME, for each file that could not be read
 */
export function readSecretFiles(given: Variables, names: readonly string[]): { variables: Variables; faults: Record<string, string> } {
  const variables: Record<string, string | undefined> = { ...given };
  const faults: Record<string, string> = {};
  for (const name of names) {
    const path = given[`${name}_FILE`];
    delete variables[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      faults[name] = `${name} et ${name}_FILE sont réglés tous les deux : gardez l'un des deux`;
      continue;
    }
    try {
      variables[name] = readSecret(path);
    } catch (error) {
      faults[name] = `${name}_FILE : ${(error as Error).message}`;
    }
  }
  return { variables, faults };
}

/** Returns the secret in a file. @throws Error in French, without any of the file's content */
function readSecret(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length > maxBytes) throw new Error('le fichier est trop grand pour un secret');
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text === '') throw new Error('le fichier est vide');
  if (/[\r\n\0\uFFFD]/.test(text)) throw new Error('le fichier doit tenir en une ligne de texte');
  return text;
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`le fichier est illisible (${(error as NodeJS.ErrnoException).code})`);
  }
}
