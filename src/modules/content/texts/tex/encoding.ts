/** Encodings that a file may name, with the name under which decoders know them. UTF-8 is recognised by itself. */
const ENCODINGS: Readonly<Record<string, string>> = {
  latin1: 'windows-1252',
  ansinew: 'windows-1252',
  cp1252: 'windows-1252',
  latin9: 'iso-8859-15',
  applemac: 'macintosh',
  cp1250: 'windows-1250',
  latin2: 'iso-8859-2',
};
const NAMED = /\\(?:usepackage\s*\[(\w+)(?:,[^\]]*)?\]\s*\{inputenc\}|inputencoding\{(\w+)\})/;

/**
 * Returns the text of a TeX file with `\n` line ends: as UTF-8 when it is, otherwise in the encoding that it names.
 * @returns `isSure` is false when the file is not UTF-8 and names no encoding
 */
export function decodedTex(bytes: Buffer): { text: string; isSure: boolean } {
  let text: string;
  let isSure = true;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const found = NAMED.exec(bytes.toString('latin1', 0, 20_000));
    const encoding = ENCODINGS[found?.[1] ?? found?.[2] ?? ''];
    text = new TextDecoder(encoding ?? 'windows-1252').decode(bytes);
    isSure = encoding !== undefined;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no document holds them
  const lines = text.replaceAll(/\r\n?|[\u000b\u000c\u2028\u2029]/g, '\n').replaceAll(/[\u0000-\u0008\u000e-\u001f]/g, '');
  return { text: lines.normalize('NFC'), isSure };
}
