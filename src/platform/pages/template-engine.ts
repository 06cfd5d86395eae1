import { Eta } from 'eta';
import { escapeValue, writeText } from '../../shared/view-values.ts';
import { frenchMarks } from './template-marks.ts';

/** Among a view's locals: is given what the view tells the layout, and the view's HTML comes without it. */
export const takesLayout = Symbol('takes layout');

/**
 * Renders the templates; `@fastify/view` says where they are and whether they are kept.
 * @param strict a template that reads a name which it was not given fails, instead of writing nothing in its place
 */
export function templateEngine({ strict }: { strict: boolean }): Eta {
  const eta = new Eta({ plugins: [frenchMarks], escapeFunction: escapeValue, filterFunction: writeText });
  const { render, resolvePath } = eta;
  // Every template names the others from the folder of all: where one is need not be worked out at each include.
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
      // Eta's own names begin so.
      if (typeof name === 'string' && !name.startsWith('__') && !(name in given)) throw new Error(`${template} was not given ${name}`);
      return Reflect.get(given, name);
    },
  });
}
