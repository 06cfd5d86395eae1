import { escapeValue, writeText } from '../../../src/shared/view-values.ts';

type Locals = Record<string, unknown>;

/** What a compiled view calls: as much of Eta as writing takes. */
interface ViewRuntime {
  config: { escapeFunction: (value: unknown) => string; filterFunction: (value: unknown) => string };
  render(view: string, locals: Locals): string;
}

export type CompiledView = (this: ViewRuntime, locals: Locals, options: object) => string;

export interface RenderedView {
  body: string;
  /** What the view tells the layout. */
  bodyClass: string;
}

/** Renders a view as the server does, without the layout around it. @param views all that it includes, by the names in their includes */
export function renderView(views: Readonly<Record<string, CompiledView>>, name: string, locals: Locals): RenderedView {
  let bodyClass = '';
  const runtime: ViewRuntime = {
    config: { escapeFunction: escapeValue, filterFunction: writeText },
    render(asked, given) {
      if (asked === '/layout') {
        bodyClass = String(given.bodyClass ?? '');
        return String(given.body);
      }
      const view = views[asked];
      if (!view) throw new Error(`no view ${asked}`);
      return view.call(runtime, given, {});
    },
  };
  return { body: runtime.render(name, locals), bodyClass };
}
