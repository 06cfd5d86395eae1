/** The package brings types that its own exports hide. */
declare module 'doiuse/lib/DoIUse.js' {
  import type { Plugin } from 'postcss';

  interface Options {
    browsers: string[];
    /** Names of features, as caniuse has them. */
    ignore: string[];
    onFeatureUsage(usage: { feature: string; message: string }): void;
  }
  const DoIUse: new (options: Options) => Plugin;
  export default DoIUse;
}
