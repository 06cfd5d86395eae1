/**
 * The floor of design §6: a bare Fastify with one primary-key query that returns a row of 22 KB, sent as it is. A process of its own; no log,
 * no header that Fastify does not send by itself. The query is a named statement, like ours: the floor gets what helps it.
 */
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify({ logger: false });

app.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
  const { rows } = await pool.query<{ html: string }>({
    name: 'floor',
    text: 'select html from floor where id = $1',
    values: [Number(request.params.id)],
  });
  return reply.type('text/html; charset=utf-8').send(rows[0]?.html);
});

process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
