declare module 'subset-font' {
  interface Options {
    targetFormat: 'sfnt' | 'woff2';
    /** Features of the layout that stay; the others go, with the glyphs that only they show. */
    keepFeatures: readonly string[];
    /** Beside copyright, name and version. */
    preserveNameIds: readonly number[];
    noHinting: boolean;
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
