import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { leave, sql } from './sql.ts';
import { onServer, TEMPLATE } from './template.ts';

/**
 * Creates a migrated database for the test, dropped afterwards. It is empty, unless another template is named.
 *
 * @throws Error outside `npm test`, which starts the server.
 */
export async function createTestDatabase(t: Test, template = TEMPLATE): Promise<{ url: string }> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('no database server: run this file with `npm test -- <file>`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await leave(onServer(server, template));
  await sql(server, `create database ${name} template ${template} strategy file_copy`);
  t.teardown(() => sql(server, `drop database if exists ${name} with (force)`));
  return { url: onServer(server, name) };
}
