declare module 'subset-font' {
  interface Options {
    targetFormat: 'sfnt' | 'woff2';
    /** Layout features to keep; other features are removed with the glyphs that only they use. */
    keepFeatures: readonly string[];
    /** Name records to keep in addition to copyright, name and version. */
    preserveNameIds: readonly number[];
    noHinting: boolean;
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
