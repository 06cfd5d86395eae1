import type { FastifyInstance } from 'fastify';

export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  $ref?: string;
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; schema?: JsonSchema }[];
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
  responses?: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

/** A method and path of the application; API routes are registered with and without /api. */
export interface Route {
  /** `PUT /prepas/:id`, always without /api. */
  key: string;
  method: string;
  /** The registered URLs: `/api/prepas/:id`, `/prepas/:id`. */
  urls: string[];
  params: string[];
  /** Whether all parameters are numbers, according to the API description. */
  numbers: boolean;
  /** The session required by the API description. */
  guard: 'learner' | 'administrator' | null;
  query: string[];
  body: { type: string; schema: JsonSchema } | null;
  /** Schemas of JSON responses, by status. */
  answers: Record<string, JsonSchema>;
}

export interface Table {
  routes: Route[];
  schemas: Record<string, JsonSchema>;
  /** Returns the route that handles this path. */
  find(method: string, path: string): Route | undefined;
}

/** Returns all routes of the application's route table, with the bodies and responses of the API description. */
export function routesOf(app: FastifyInstance): Table {
  const { paths = {}, components } = app.swagger() as unknown as {
    paths?: Record<string, Record<string, Operation>>;
    components?: { schemas?: Record<string, JsonSchema> };
  };
  const urls = new Set(app.routeTable.map(({ method, url }) => `${method} ${url}`));
  const byKey = new Map<string, Route>();
  for (const { method, url } of app.routeTable) {
    const bare = url.replace(/^\/api(?=\/)/, '');
    const key = urls.has(`${method} ${bare}`) ? `${method} ${bare}` : `${method} ${url}`;
    const known = byKey.get(key);
    if (known) known.urls.push(url);
    else byKey.set(key, { key, method, urls: [url], ...described(paths[openApiPath(url)]?.[method.toLowerCase()]), params: paramsOf(url) });
  }
  const routes = [...byKey.values()];
  // Literal paths are tried before paths with parameters.
  const patterns = routes
    .flatMap((route) => route.urls.map((url) => ({ route, pattern: patternOf(url), wild: paramsOf(url).length })))
    .sort((one, other) => one.wild - other.wild);
  return {
    routes,
    schemas: components?.schemas ?? {},
    find: (method, path) => patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route,
  };
}

const openApiPath = (url: string): string => (url.startsWith('/api/') ? url : `/api${url}`).replaceAll(/:(\w+)/g, '{$1}');
const paramsOf = (url: string): string[] => (url.match(/:\w+|\*/g) ?? []).map((name) => name.replace(':', ''));

/** Returns a pattern for the URL; its groups are the parameters. */
export function patternOf(url: string): RegExp {
  const parts = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '(.+)' : part.startsWith(':') ? '([^/]+)' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`);
}

function described(operation: Operation = {}): Pick<Route, 'numbers' | 'guard' | 'query' | 'body' | 'answers'> {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(operation.responses ?? {}).flatMap(([status, answer]) => {
    const schema = answer.content?.['application/json']?.schema;
    return schema ? [[status, schema] as const] : [];
  });
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  return {
    numbers: inPath.length > 0 && inPath.every(({ schema }) => /number|integer/.test(String(schema?.type))),
    guard: operation.security?.some((one) => 'administrator' in one) ? 'administrator' : operation.security ? 'learner' : null,
    query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    body: type && content?.schema ? { type, schema: content.schema } : null,
    answers: Object.fromEntries(answers),
  };
}
