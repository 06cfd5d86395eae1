/** A view as the build compiles it (scripts/building/compiled-views.ts), called by `renderView`. */
declare module '*.eta' {
  const view: (locals: Record<string, unknown>, options: object) => string;
  export default view;
}
