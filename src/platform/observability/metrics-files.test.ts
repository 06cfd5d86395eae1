import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createLearner } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { requestLimit } from '../limits/request-limit.ts';
import { alertKinds } from './alert-kinds.ts';
import { createLog } from './log.ts';
import { tasks } from './task-runs.ts';

// The metrics of dashboard and alerts are exactly those that the code exports.

const token = 'jeton-des-mesures';
// The site has an unreachable replica, because a replica has metrics too.
const replica = 'postgresql://prepa@127.0.0.1:2/prepa';
const home = await createTestApp(t, { SHED_LOAD: 'on', METRICS_TOKEN: token, DATABASE_REPLICA_URLS: replica });
const { app, databaseUrl } = home;
const read = async () => (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body;
const exported = async () => new Set([...(await read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));

const dashboard = JSON.parse(readFileSync('deploy/grafana/prepa.json', 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
/** The alert rules; each value is on one line of the file. */
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

t.test('every metric in dashboard and alerts is exported', async (t) => {
  const names = await exported();
  for (const expression of expressions) for (const name of namesIn(expression)) t.ok(names.has(name), `${name} in ${expression}`);
});

t.test('every metric of ours is used in dashboard or alerts', async (t) => {
  const used = new Set(expressions.flatMap(namesIn));
  t.same(
    [...(await exported())].filter((name) => name.startsWith('prepa_') && !used.has(name)),
    [],
  );
});

t.test('every alert has a summary and an action, in French', async (t) => {
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

t.test('the alert about payments to review links to each list of them', (t) => {
  const action = rules.find(({ name }) => name === 'PaiementsAExaminer')?.action ?? '';
  for (const address of ['/admin/paiements?etat=review', '/admin/paiements?alerte=rendus']) t.ok(action.includes(address), address);
  t.end();
});

t.test('counts requests by route pattern, never by address', async (t) => {
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

t.test('reports the last completion of each timer task', async (t) => {
  t.notMatch(await read(), 'task="prune"');
  await sql(databaseUrl, `insert into task_run values ('prune', '2026-11-23T10:00:00Z')`);
  t.match(await read(), `prepa_task_last_run_timestamp_seconds{task="prune"} ${Date.parse('2026-11-23T10:00:00Z') / 1000}`);
});

/** Returns the only rule whose expression begins like this. */
function ruleThatBegins(t: Test, begin: string) {
  const [rule, ...others] = rules.filter(({ expr }) => expr.startsWith(begin));
  t.ok(rule && others.length === 0, begin);
  return rule;
}

t.test('alerts about tasks that have not run for too long, or never (metric missing)', (t) => {
  const watched = tasks.map((task) => ({
    figure: `prepa_task_last_run_timestamp_seconds{task="${task}"}`,
    begin: `time() - max(prepa_task_last_run_timestamp_seconds{task="${task}"}) > `,
  }));
  // The limit of 600 s is that of `prepa doctor`.
  const reconciliation = { figure: 'prepa_payments_last_pass_seconds', begin: 'max(prepa_payments_last_pass_seconds) > 600 ' };
  for (const { figure, begin } of [...watched, reconciliation]) {
    const rule = ruleThatBegins(t, begin);
    t.ok(rule?.expr.endsWith(` or absent(${figure})`), rule?.expr ?? begin);
    t.match(rule?.wait ?? '', /^[1-9]\d*[mh]$/, 'a new site has time to run it');
  }
  t.end();
});

t.test('counts refusals of limits and alerts of the log', async (t) => {
  const limit = requestLimit('essai', 1);
  await limit.consume('quelqu-un');
  await t.rejects(limit.consume('quelqu-un'), /Trop/);
  const counted = async () => Number(/^prepa_log_alerts_total\{alert="disk-full"\} (\d+)$/m.exec(await read())?.[1]);
  t.equal(await counted(), 0, 'exported before the first alert, since Prometheus needs an earlier value to see an increase');
  const log = createLog('info', { write: () => {} });
  log.warn({ alert: 'disk-full' }, 'somebody must look');
  log.info({ alert: 'disk-full' }, 'it is over');
  const body = await read();
  t.equal(await counted(), 1);
  t.match(body, /^prepa_limit_refusals_total\{limit="essai"\} 1$/m);
});

t.test('every kind of log alert is counted from the start, and the alert rule excludes known kinds only', async (t) => {
  const body = await read();
  for (const kind of alertKinds) t.match(body, new RegExp(`^prepa_log_alerts_total\\{alert="${kind}"\\} \\d+$`, 'm'));
  const leftOut = rules.flatMap(({ expr }) => /alert!~"(.*?)"/.exec(expr)?.[1]?.split('|') ?? []);
  t.ok(leftOut.length > 0);
  const page = readFileSync('docs/operations.md', 'utf8').split('## What to watch')[1];
  for (const kind of alertKinds) t.ok(new RegExp(`\`(alert: )?${kind}\``).test(page ?? ''), `docs/operations.md describes ${kind}`);
  for (const kind of leftOut) t.ok((alertKinds as readonly string[]).includes(kind), kind);
});
