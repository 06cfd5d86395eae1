import { Eta } from 'eta';
import { escapeValue, writeText } from '../../shared/view-values.ts';
import { frenchMarks } from './template-marks.ts';

/**
 * A view's local: a function that receives the locals which the view passes to the layout. The view's HTML is then returned without the
 * layout.
 */
export const takesLayout = Symbol('takes layout');

/**
 * Returns the template engine; `@fastify/view` sets the folder and whether compiled templates are cached.
 * @param strict makes a template fail that reads an undefined name, instead of writing nothing
 */
export function templateEngine({ strict }: { strict: boolean }): Eta {
  const eta = new Eta({ plugins: [frenchMarks], escapeFunction: escapeValue, filterFunction: writeText });
  const { render, resolvePath } = eta;
  // Templates refer to each other from the root folder, so a resolved path is valid for every include.
  const paths = new Map<string, string>();
  eta.resolvePath = (template, options) => {
    const path = paths.get(template) ?? resolvePath?.call(eta, template, options) ?? template;
    paths.set(template, path);
    return path;
  };
  eta.render = (template, locals, meta) => {
    const { [takesLayout]: take, body } = locals as { [takesLayout]?: (locals: object) => void; body?: string };
    if (!take || template !== '/layout') return render.call(eta, template, strict ? onlyGiven(String(template), locals) : locals, meta);
    take(locals);
    return body ?? '';
  };
  return eta;
}

function onlyGiven<Locals extends object>(template: string, locals: Locals): Locals {
  return new Proxy(locals, {
    get(given, name) {
      // Names that begin with __ are Eta's own.
      if (typeof name === 'string' && !name.startsWith('__') && !(name in given)) throw new Error(`${template} was not given ${name}`);
      return Reflect.get(given, name);
    },
  });
}
