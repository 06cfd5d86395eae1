import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { bareEnvironment } from '../test/support/process.ts';
import { reportFailure } from './failure.ts';
import { buildProgram } from './program.ts';

// Runs the bundle as operators do, without a database: wrong usage is reported before a connection is opened.

interface Ended {
  code: number;
  out: string;
  error: string;
}

function prepa(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = { NODE_ENV: 'test', DATABASE_URL: 'postgresql://prepa:s3cret-Qm4vT8zLr2Xc@127.0.0.1:9/absente', ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(projectRoot, 'dist/cli/main.js'), ...args],
      { cwd: tmpdir(), env: { ...bareEnvironment(), ...settings } },
      (failure, out, error) => resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    );
  });
}

/** Runs a command in this process, from the sources: faster than a process where only the texts matter. */
async function typed(args: string[]): Promise<Ended> {
  const written = { out: '', error: '' };
  const program = buildProgram();
  capture(program, written);
  const code = await program.parseAsync(args, { from: 'user' }).then(() => 0, reportFailure);
  return { code, ...written };
}

function capture(command: Command, written: { out: string; error: string }): void {
  command.configureOutput({
    writeOut: (text) => {
      written.out += text;
    },
    writeErr: (text) => {
      written.error += text;
    },
  });
  for (const child of command.commands) capture(child, written);
}

const english = /usage:|options:|commands:|arguments:|default:|choices|display help|did you mean|allowed|error:|invalid|missing|unknown/i;

t.test('--help is French, everywhere, and exits 0', async (t) => {
  const commands = [
    '',
    'db',
    'db migrate',
    'db status',
    'seed',
    'import',
    'content',
    'content redraw',
    'content publish',
    'doctor',
    'enrolments',
    'enrolments expire',
    'enrolments grant',
  ];
  commands.push('enrolments list', 'payments', 'payments reconcile', 'payments list', 'payments show');
  commands.push(
    'enrolments withdraw',
    ...['find', 'verify', 'review', 'close', 'refund', 'totals', 'export'].map((name) => `payments ${name}`),
  );
  commands.push('setup', 'keys', 'keys issue', 'keys list', 'keys revoke', 'admins', 'admins list', 'admins disable', 'admins enable');
  const helps = await Promise.all(commands.map((command) => typed([...command.split(' ').filter(Boolean), '--help'])));
  for (const [index, { code, out, error }] of helps.entries()) {
    t.equal(code, 0, `${commands[index]}`);
    t.equal(error, '');
    t.match(out, new RegExp(`^Usage : prepa ${commands[index]}`.trim()));
    t.match(out, "affiche l'aide");
    t.notMatch(out, '[object', `${commands[index]} shows no value of the code`);
    t.notMatch(out.replaceAll('Usage :', '').replaceAll('Options :', '').replaceAll('Commandes :', ''), english, `${commands[index]}`);
  }
  const [program] = helps;
  t.same(await prepa(['--help']), program, 'the built program prints the same help');
  for (const command of ['db', 'seed', 'content', 'enrolments', 'payments', 'keys', 'admins', 'doctor', '--json'])
    t.match(program?.out, new RegExp(`^ +${command}`, 'm'));
  t.notMatch(program?.out, 'demo ', 'the command that make run calls is hidden');
});

t.test('wrong usage prints one French line and a hint to the help, and exits 2', async (t) => {
  const cases: [string, RegExp][] = [
    ['inconnu', /^commande inconnue : 'inconnu'/],
    ['enrolments lst', /^commande inconnue : 'lst'\n\(vouliez-vous dire : list \?\)/],
    ['enrolments --nom', /^option inconnue : '--nom'/],
    ['enrolments grant --email a@gmail.com --prepa 1', /^option obligatoire manquante : '--reason <texte>'/],
    [
      'enrolments grant --email a@gmail.com --prepa zéro --reason x',
      /^option '--prepa <id>' : 'zéro' est incorrect\. Un nombre entier de 1 à 2147483647 est attendu\./,
    ],
    [
      'enrolments expire --at hier',
      /^option '--at <date>' : 'hier' est incorrect\. Une date comme 2026-12-31 ou 2026-12-31T08:00:00Z est attendue\./,
    ],
    ['enrolments expire --at 2026-02-30T99:00', /est incorrect/],
    ['enrolments expire --at 2027-02-31T08:00:00Z', /^option '--at <date>' : '2027-02-31T08:00:00Z' est incorrect\./],
    ['maintenance on --until 2027-02-31', /^option '--until <date>' : '2027-02-31' est incorrect\. Une date comme 2026-12-31 /],
    ['enrolments list --limit 0', /^option '--limit <n>' : '0' est incorrect\. Un nombre entier de 1 à 200 est attendu\./],
    ['enrolments list --limit', /^option '--limit <n>' : valeur manquante/],
    ['payments list --status oui', /^option '--status <état>' : 'oui' est incorrect\. Au choix : created, /],
    ['payments show', /^argument manquant : 'référence'/],
    ['payments totals --du hier', /^option '--du <jour>' : 'hier' est incorrect\. Une date comme 2026-12-31 est attendue\./],
    ['payments find', /^argument manquant : 'texte'/],
    ['payments refund ZP1', /^option obligatoire manquante : '--reason <texte>'/],
    [
      'enrolments withdraw --email a@gmail.com --prepa 1 --days 0',
      /^option '--days <n>' : '0' est incorrect\. Un nombre entier de 1 à 366 est attendu\./,
    ],
    ['keys issue', /^option obligatoire manquante : '--role <rôle>'/],
    ['keys issue --role root', /^option '--role <rôle>' : 'root' est incorrect\. Au choix : admin, super_admin\./],
    ['keys issue --role admin --days 91', /^option '--days <n>' : '91' est incorrect\. Un nombre entier de 1 à 90 est attendu\./],
    ['keys revoke abc', /^argument 'id' : 'abc' est incorrect\. Un nombre entier de 1 à 2147483647 est attendu\./],
    [
      'keys revoke 999999999999999999',
      /^argument 'id' : '999999999999999999' est incorrect\. Un nombre entier de 1 à 2147483647 est attendu\./,
    ],
    ['keys revoke 1e3', /^argument 'id' : '1e3' est incorrect\. Un nombre entier de 1 à 2147483647 est attendu\./],
    ['enrolments list --limit 0x10', /^option '--limit <n>' : '0x10' est incorrect\. Un nombre entier de 1 à 200 est attendu\./],
    [
      'payments refund ZP1 --reason x --amount 9999999999',
      /^option '--amount <xaf>' : '9999999999' est incorrect\. Un nombre entier de XAF, de 1 à 999999999, est attendu\./,
    ],
    ['admins disable', /^argument manquant : 'adresse'/],
    ['seed un deux', /^trop d'arguments/],
  ];
  const results = await Promise.all(cases.map(([command]) => typed(command.split(' '))));
  for (const [index, [command, message]] of cases.entries()) {
    const { code, out, error } = results[index] as Ended;
    t.equal(code, 2, command);
    t.equal(out, '', command);
    t.match(error, message, command);
    t.notMatch(error, english, command);
    t.match(error, '« --help » décrit la commande', command);
  }
  t.same(await prepa(['enrolments', 'lst']), results[1], 'the built program prints the same message');
  for (const args of [[], ['enrolments']]) t.match(await typed(args), { code: 2, error: /^Usage : prepa/ });
});

t.test('an empty reason is refused', async (t) => {
  for (const reason of [' ', 'x'.repeat(301)]) {
    const ended = await prepa(['enrolments', 'grant', '--email', 'a@gmail.com', '--prepa', '1', '--reason', reason]);
    t.same(ended, { code: 2, out: '', error: 'La raison doit compter de 1 à 300 caractères.\n' });
  }
});

t.test('backup needs a folder: a file is refused', async (t) => {
  const file = join(t.testdir({ 'sauvegarde.tar': '' }), 'sauvegarde.tar');
  t.same(await prepa(['backup', file]), {
    code: 2,
    out: '',
    error: `${file} est un fichier : donnez le dossier où ranger la sauvegarde.\n`,
  });
  t.same(readdirSync(dirname(file)), ['sauvegarde.tar']);
});

t.test('an impossible period and an empty search are refused', async (t) => {
  const period = await prepa(['payments', 'totals', '--du', '2026-02-01', '--au', '2026-01-01']);
  t.same(period, { code: 2, out: '', error: "option '--au <jour>' : La fin doit suivre le début.\n" });
  t.same(await prepa(['payments', 'find', ' ']), { code: 2, out: '', error: 'Que faut-il chercher ?\n' });
});

t.test('a failure prints one French line without secrets and exits 1', async (t) => {
  const away = await prepa(['enrolments', 'list']);
  t.same(away, { code: 1, out: '', error: 'La base de données est injoignable : vérifiez DATABASE_URL.\n' });
  const settings = await prepa(['payments', 'list'], { PORT: 'abc', LOG_LEVEL: 'fort' });
  t.same(settings, {
    code: 1,
    out: '',
    error: 'Réglages incorrects : PORT doit être un nombre entier ; LOG_LEVEL niveau inconnu\n',
  });
});

t.test('production refuses another date and demo accounts', async (t) => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://prepa.example', ZITOPAY_RECEIVER: 'prepa' };
  t.same(await prepa(['enrolments', 'expire', '--at', '2026-12-31'], production), {
    code: 1,
    out: '',
    error: '« --at » est refusé en production.\n',
  });
  const bare = await prepa(['enrolments', 'list'], { NODE_ENV: 'production', DATABASE_URL: '' });
  t.equal(bare.code, 1);
  for (const name of ['DATABASE_URL', 'PUBLIC_URL', 'ZITOPAY_RECEIVER']) t.match(bare.error, `${name} est obligatoire en production`);
});
