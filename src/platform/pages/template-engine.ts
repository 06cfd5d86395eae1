import { Eta } from 'eta';
import { frenchMarks } from './template-marks.ts';

/**
 * Renders the templates; `@fastify/view` says where they are and whether they are kept.
 * @param strict a template that reads a name which it was not given fails, instead of writing nothing in its place
 */
export function templateEngine({ strict }: { strict: boolean }): Eta {
  const eta = new Eta({ plugins: [frenchMarks] });
  eta.configure({ filterFunction: frenchMarks.write(eta.config.escapeFunction) });
  if (!strict) return eta;
  const { render } = eta;
  eta.render = (template, locals, meta) => render.call(eta, template, onlyGiven(String(template), locals), meta);
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
