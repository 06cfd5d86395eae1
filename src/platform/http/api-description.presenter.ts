/** The parts of an OpenAPI document that the documentation page renders. */
interface OpenApiDocument {
  info: { title: string; description?: string };
  paths?: Record<string, Record<string, unknown> | undefined>;
  components?: { schemas?: Record<string, unknown> };
}

interface Operation {
  tags?: string[];
  summary?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>;
}

const methods = ['get', 'post', 'put', 'delete'] as const;

/** Returns an OpenAPI document for the documentation page: calls in groups, each with parameters, body and responses; schemas as JSON. */
export function presentApi(document: unknown) {
  const { info, paths = {}, components = {} } = document as OpenApiDocument;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations?.[method] as Operation | undefined;
      return operation ? [presentCall(method.toUpperCase(), path, operation)] : [];
    }),
  );
  const groups = [...new Set(calls.map(({ tag }) => tag))].map((tag) => ({ tag, calls: calls.filter((call) => call.tag === tag) }));
  return {
    description: info.description ?? '',
    groups,
    schemas: Object.entries(components.schemas ?? {}).map(([name, schema]) => ({ name, schema: pretty(schema) })),
  };
}

function presentCall(method: string, path: string, operation: Operation) {
  return {
    id: `${method}-${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    method,
    path,
    tag: operation.tags?.[0] ?? 'Autres appels',
    summary: operation.summary ?? '',
    administrator: operation.security?.some((scheme) => 'administrator' in scheme) ?? false,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required }) => ({ name, place, required: required ?? false })),
    bodies: contentOf(operation.requestBody?.content),
    answers: Object.entries(operation.responses ?? {}).map(([status, { content }]) => ({ status, bodies: contentOf(content) })),
  };
}

const contentOf = (content: Record<string, { schema?: unknown }> = {}) =>
  Object.entries(content).map(([type, { schema }]) => ({ type, schema: pretty(schema ?? {}) }));

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
