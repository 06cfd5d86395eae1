/**
 * The baseline of design §6: a bare Fastify server with one primary-key query that returns a row of 22 KB, sent unchanged. It runs in its
 * own process, without logs and extra headers. The query is a prepared (named) statement, like ours, so that the comparison is fair.
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
