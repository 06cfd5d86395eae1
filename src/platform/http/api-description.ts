import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Config } from '../settings/config.ts';
import { presentApi } from './api-description.presenter.ts';

/** Transformed values have no JSON schema, so they are described as `any`; a file is described by its metadata. */
const zodToJsonConfig = { unrepresentable: 'any' } as const;

/** Collects the schemas of all routes as OpenAPI 3.1. Registered before any route. */
export const apiDescription = fp<{ config: Config }>(
  async (app, { config }) => {
    const transform = createJsonSchemaTransform({ zodToJsonConfig });
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: config.site.name,
          description:
            'Chaque appel répond aussi sans le préfixe /api. Les sessions voyagent dans les cookies userToken et adminToken, en HTTPS __Host-userToken et __Host-adminToken, ou comme jeton « bearer ».',
          version: '1.0.0',
        },
        components: {
          securitySchemes: {
            learner: { type: 'http', scheme: 'bearer', description: 'Jeton de POST /api/users/login' },
            administrator: { type: 'http', scheme: 'bearer', description: 'Jeton de POST /api/admin/login' },
          },
        },
      },
      transform: (route) => {
        // The description has /api routes only. Their aliases without the prefix, pages and files are left out.
        if (!route.url.startsWith('/api/') || documentationPaths.includes(route.url)) return { schema: { hide: true }, url: route.url };
        const { schema, url } = transform({ ...route, schema: route.schema ?? {} });
        const guards = [route.route.onRequest, route.route.preHandler].flat();
        const who = guards.includes(app.requireLearner) ? 'learner' : guards.includes(app.requireAdministrator) ? 'administrator' : null;
        return { schema: { ...schema, ...(who ? { security: [{ [who]: [] }] } : {}) }, url };
      },
      transformObject: (document) => onlyUsedSchemas(createJsonSchemaTransformObject({ zodToJsonConfig })(document)),
    });
  },
  { name: 'api-description' },
);

/** Removes schemas that no call refers to: fastify-type-provider-zod adds each schema once as input and once as output. */
function onlyUsedSchemas(document: ReturnType<SwaggerTransformObject>): ReturnType<SwaggerTransformObject> {
  const { schemas = {}, ...components } = (document as { components?: { schemas?: object } }).components ?? {};
  const text = JSON.stringify(document);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  return { ...document, components: { ...components, schemas: Object.fromEntries(used) } } as ReturnType<SwaggerTransformObject>;
}

const documentationPaths = ['/api/docs', '/api/openapi.json'];

declare module '../pages/views.ts' {
  interface PageLocals {
    'platform/api': { api: ReturnType<typeof presentApi> };
  }
}

/** Serves the API description to signed-in administrators, as a page and as JSON for programs. */
export const apiDocumentation: FastifyPluginAsync = async (app) => {
  const preHandler = [app.requireAdministrator];
  app.get('/api/openapi.json', { preHandler, config: { audience: 'administrator' } }, async () => app.swagger());
  app.get('/api/docs', { preHandler, config: { audience: 'administrator', page: true } }, async (_request, reply) =>
    reply.page('platform/api', { title: "Documentation de l'API", area: 'admin', api: presentApi(app.swagger()) }),
  );
};
