import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createLearner } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { requestLimit } from '../limits/request-limit.ts';
import { alertKinds } from './alert-kinds.ts';
import { createLog } from './log.ts';
import { tasks } from './task-runs.ts';

// What is drawn and alerted about is what the code exports, and the other way round.

const token = 'jeton-des-mesures';
// A replica that is away has its metrics all the same.
const replica = 'postgresql://prepa@127.0.0.1:2/prepa';
const home = await createTestApp(t, { SHED_LOAD: 'on', METRICS_TOKEN: token, DATABASE_REPLICA_URLS: replica });
const { app, databaseUrl } = home;
const read = async () => (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body;
const exported = async () => new Set([...(await read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));

const dashboard = JSON.parse(readFileSync('deploy/grafana/prepa.json', 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
/** As it is written: a list of rules whose values each stand on one line. */
const rules = readFileSync('deploy/prometheus/alerts.yml', 'utf8')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const value = (name: string) => new RegExp(`^ +${name}: '?(.*?)'?$`, 'm').exec(text)?.[1]?.replaceAll("''", "'") ?? '';
    return {
      name: text.split('\n', 1)[0] ?? '',
      expr: value('expr'),
      wait: value('for'),
      summary: value('summary'),
      action: value('action'),
    };
  });
const expressions = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules.map(({ expr }) => expr)];
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:prepa|process|nodejs)_[a-z_]+/g)].map(([name]) => name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'));

t.test('every metric that is drawn or alerted about is exported', async (t) => {
  const names = await exported();
  for (const expression of expressions) for (const name of namesIn(expression)) t.ok(names.has(name), `${name} in ${expression}`);
});

t.test('every metric of ours is drawn or alerted about', async (t) => {
  const used = new Set(expressions.flatMap(namesIn));
  t.same(
    [...(await exported())].filter((name) => name.startsWith('prepa_') && !used.has(name)),
    [],
  );
});

t.test('every alert says what is the matter and what to do, in French', async (t) => {
  t.ok(rules.length >= 15);
  for (const { name, expr, summary, action } of rules) {
    t.match(name, /^[A-Z][A-Za-z]+$/);
    t.ok(expr.length > 5, name);
    t.match(summary, /^.{15,}$/, name);
    t.match(action, /^[A-ZÀ-Ü].{30,}\.$/, name);
  }
  const braces = (text: string) =>
    ['()', '{}', '[]'].every(([open = '', close = '']) => text.split(open).length === text.split(close).length);
  for (const expression of expressions) t.ok(braces(expression), expression);
});

t.test('who is told of payments that wait is told where each kind of them stands', (t) => {
  const action = rules.find(({ name }) => name === 'PaiementsAExaminer')?.action ?? '';
  for (const address of ['/admin/paiements?etat=review', '/admin/paiements?alerte=rendus']) t.ok(action.includes(address), address);
  t.end();
});

t.test('requests are counted by the pattern of their route, never by an address', async (t) => {
  const learner = await createLearner(home);
  await visit(app, '/user/prepa/4711/12', learner.session);
  await visit(app, `/${'secret'.repeat(3)}`);
  await visit(app, '/user/dashboard', learner.session);
  const body = await read();
  t.match(body, /prepa_http_request_duration_seconds_count\{method="GET",route="\/user\/prepa\/:prepaId\/:disciplineId",status="404"\} 1/);
  t.match(body, /prepa_http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
  t.notMatch(body, /4711|secret/);
  t.match(body, /prepa_page_cache_total\{cache="\w+",result="miss"\} [1-9]/);
});

t.test('a task of the timers shows when it last came to its end', async (t) => {
  t.notMatch(await read(), 'task="prune"');
  await sql(databaseUrl, `insert into task_run values ('prune', '2026-11-23T10:00:00Z')`);
  t.match(await read(), `prepa_task_last_run_timestamp_seconds{task="prune"} ${Date.parse('2026-11-23T10:00:00Z') / 1000}`);
});

/** The one rule whose expression begins so. */
function ruleThatBegins(t: Test, begin: string) {
  const [rule, ...others] = rules.filter(({ expr }) => expr.startsWith(begin));
  t.ok(rule && others.length === 0, begin);
  return rule;
}

t.test('what has not run for too long has an alert, also when it has never run: its figure is missing then', (t) => {
  const watched = tasks.map((task) => ({
    figure: `prepa_task_last_run_timestamp_seconds{task="${task}"}`,
    begin: `time() - max(prepa_task_last_run_timestamp_seconds{task="${task}"}) > `,
  }));
  // As long as `prepa doctor` gives it.
  const reconciliation = { figure: 'prepa_payments_last_pass_seconds', begin: 'max(prepa_payments_last_pass_seconds) > 600 ' };
  for (const { figure, begin } of [...watched, reconciliation]) {
    const rule = ruleThatBegins(t, begin);
    t.ok(rule?.expr.endsWith(` or absent(${figure})`), rule?.expr ?? begin);
    t.match(rule?.wait ?? '', /^[1-9]\d*[mh]$/, 'a new site has time to run it');
  }
  t.end();
});

t.test('what a limit refuses, and what the log alerts of, is counted', async (t) => {
  const limit = requestLimit('essai', 1);
  await limit.consume('quelqu-un');
  await t.rejects(limit.consume('quelqu-un'), /Trop/);
  const counted = async () => Number(/^prepa_log_alerts_total\{alert="disk-full"\} (\d+)$/m.exec(await read())?.[1]);
  t.equal(await counted(), 0, 'there before the first one: Prometheus sees an increase only of what it has seen before');
  const log = createLog('info', { write: () => {} });
  log.warn({ alert: 'disk-full' }, 'somebody must look');
  log.info({ alert: 'disk-full' }, 'it is over');
  const body = await read();
  t.equal(await counted(), 1);
  t.match(body, /^prepa_limit_refusals_total\{limit="essai"\} 1$/m);
});

t.test('every kind of alert of the log is counted from the start, and one that is left out of the alert is a kind', async (t) => {
  const body = await read();
  for (const kind of alertKinds) t.match(body, new RegExp(`^prepa_log_alerts_total\\{alert="${kind}"\\} \\d+$`, 'm'));
  const leftOut = rules.flatMap(({ expr }) => /alert!~"(.*?)"/.exec(expr)?.[1]?.split('|') ?? []);
  t.ok(leftOut.length > 0);
  const page = readFileSync('docs/operations.md', 'utf8').split('## What to watch')[1];
  for (const kind of alertKinds) t.ok(new RegExp(`\`(alert: )?${kind}\``).test(page ?? ''), `the page says what to do about ${kind}`);
  for (const kind of leftOut) t.ok((alertKinds as readonly string[]).includes(kind), kind);
});
