/** The baseline of an answer: a bare Fastify that checks a JSON body and inserts one row with a named statement, in a process of its own. */
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify({ logger: false });

const body = {
  type: 'object',
  required: ['cle', 'choix'],
  properties: { cle: { type: 'string', format: 'uuid' }, choix: { type: 'array', items: { type: 'string', maxLength: 12 } } },
};

app.post<{ Body: { cle: string; choix: string[] } }>('/', { schema: { body } }, async (request) => {
  await pool.query({
    name: 'floor',
    text: 'insert into floor_answer (cle, given, answered_at) values ($1, $2, now()) on conflict (cle) do nothing',
    values: [request.body.cle, JSON.stringify(request.body.choix)],
  });
  return { juste: true };
});

process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
