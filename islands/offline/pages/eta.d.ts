/** A view as the build compiles it (scripts/building/compiled-views.ts). */
declare module '*.eta' {
  const view: import('./render-view.ts').CompiledView;
  export default view;
}
