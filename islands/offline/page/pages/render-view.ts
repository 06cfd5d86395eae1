import { escapeValue, writeText } from '../../../../src/shared/view-values.ts';

type Locals = Record<string, unknown>;

/** The part of Eta's interface that compiled views call. */
interface ViewRuntime {
  config: { escapeFunction: (value: unknown) => string; filterFunction: (value: unknown) => string };
  render(view: string, locals: Locals): string;
}

export type CompiledView = (this: ViewRuntime, locals: Locals, options: object) => string;

export interface RenderedView {
  body: string;
  /** The body class that the view passes to the layout. */
  bodyClass: string;
}

/** Renders a view like the server, but without the layout. @param views the compiled views by name, including those that it includes */
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
