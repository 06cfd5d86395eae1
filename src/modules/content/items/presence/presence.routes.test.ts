import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../../test/support/factories.ts';
import { sql } from '../../../../../test/support/sql.ts';

// Who else has an item open (decision 133).

const site = await createTestApp(t);
const first = await createAdministrator(site);
const second = await createAdministrator(site);
const newItem = async () => createItem(site, (await createDiscipline(site)).id);

const say = async (session: string, id: number, page: string, parti?: boolean) => {
  const payload = { page, ...(parti && { parti }) };
  const answer = await call(site.app, { method: 'POST', url: `/api/presences/${id}`, session, payload });
  t.equal(answer.statusCode, 200, answer.body);
  return answer.json().autres as { nom: string; depuis: string; vous: boolean }[];
};
const later = (seconds: number) =>
  sql(
    site.databaseUrl,
    `update item_presence set seen_at = seen_at - interval '${seconds} s', opened_at = opened_at - interval '${seconds} s'`,
  );

t.test('the second page learns of the first, and the first of the second with its next call', async (t) => {
  const { id } = await newItem();
  const other = await newItem();
  t.same(await say(first.session, id, 'page-one'), []);
  await later(120);
  const found = await say(second.session, id, 'page-two');
  t.match(found, [{ nom: first.username, vous: false }]);
  t.equal(found.length, 1);
  const minutes = (Date.now() - Date.parse(found[0]?.depuis ?? '')) / 60_000;
  t.ok(minutes >= 2 && minutes < 2.5, 'the time at which it was opened is kept');
  t.match(await say(first.session, id, 'page-one'), [{ nom: second.username }]);
  t.same(await say(second.session, other.id, 'page-two'), [], 'another item');
});

t.test('a page that says goodbye, or nothing for 150 s, is gone', async (t) => {
  const { id } = await newItem();
  await say(first.session, id, 'page-one');
  await say(second.session, id, 'page-one', true);
  t.equal((await say(second.session, id, 'page-two')).length, 1, "a goodbye with another administrator's page changes nothing");
  await say(first.session, id, 'page-one', true);
  t.same(await say(second.session, id, 'page-two'), []);
  await say(first.session, id, 'page-one');
  await later(151);
  t.same(await say(second.session, id, 'page-three'), []);
  t.same(await sql(site.databaseUrl, "select page from item_presence where item_id = $1 and page <> 'page-three'", [id]), [], 'removed');
});

t.test("the administrator's own second page is named as such", async (t) => {
  const { id } = await newItem();
  await say(first.session, id, 'page-one');
  t.match(await say(first.session, id, 'page-two'), [{ vous: true }]);
});
