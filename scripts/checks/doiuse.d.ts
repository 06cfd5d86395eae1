/** The package has types, but its `exports` field hides them. */
declare module 'doiuse/lib/DoIUse.js' {
  import type { Plugin } from 'postcss';

  interface Options {
    browsers: string[];
    /** Feature names as in caniuse. */
    ignore: string[];
    onFeatureUsage(usage: { feature: string; message: string }): void;
  }
  const DoIUse: new (options: Options) => Plugin;
  export default DoIUse;
}
