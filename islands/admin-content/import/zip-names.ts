import type { PlacedFile } from './gather-pages.ts';

/** Characters of the bytes 128 to 255 in code page 850. */
const upper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the name of an entry: UTF-8, or else code page 850, in which Windows in French writes names without saying so. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : upper[byte - 128])).join('');
  }
}

export const baseOf = (path: string): string => path.split('/').at(-1) ?? '';

/**
 * Returns the files with names that differ from each other. If two folders have a file of the same name, every name begins with its
 * folders, so that the files of a folder stay together: 'Chapitre 1 - 1 cours.md'.
 */
export function nameApart<Placed extends PlacedFile>(files: readonly Placed[]): Placed[] {
  if (new Set(files.map(({ path }) => baseOf(path))).size === files.length) return [...files];
  const folders = files.map(({ path }) => path.split('/').slice(0, -1));
  const [first = []] = folders;
  const own = first.findIndex((folder, depth) => folders.some((other) => other[depth] !== folder));
  const common = own === -1 ? first.length : own;
  const taken = new Set<string>();
  return files.map((placed) => {
    // A draft keeps at most 255 characters of its source.
    const long = placed.path.split('/').slice(common).join(' - ').slice(-200);
    let name = long;
    for (let number = 2; taken.has(name); number += 1) name = long.replace(/(?=\.[^.]*$)|$/, ` (${number})`);
    taken.add(name);
    return { ...placed, file: new File([placed.file], name, { type: placed.file.type }) };
  });
}
