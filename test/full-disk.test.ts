// Slow: it starts servers and databases on disks that it fills.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import t from 'tap';
import { freePort } from '../src/platform/processes/free-port.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createAdministrator, createDiscipline, createItem } from './support/factories.ts';
import { until } from './support/journey.ts';
import { picture } from './support/multipart.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { pdf } from './support/pdf.ts';
import { bareEnvironment } from './support/process.ts';
import { createSmallDisk } from './support/small-disk.ts';
import { sql } from './support/sql.ts';
import { onServer } from './support/topology.ts';
import { createWorld, type Server } from './support/world.ts';

// Alone: it mounts file systems.

const noPlace = { message: "Le serveur n'a plus de place pour ce fichier : rien n'a été enregistré. Prévenez le support." };

// The store must be a folder, because the tests fill the disk with the files.
const world = await createWorld(t, { env: { UPLOADS: 'folder' } });
const administrator = await createAdministrator(world);
const discipline = await createDiscipline(world);
const item = await createItem(world, discipline.id);

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.ballast')
    .map(({ name }) => name)
    .sort();
const count = async (table: string) => (await sql<{ n: number }>(world.databaseUrl, `select count(*)::int as n from ${table}`))[0]?.n;

async function send({ url }: Server, path: string, field: string, bytes: Buffer, name: string, fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set(field, new Blob([new Uint8Array(bytes)], { type: name.endsWith('.png') ? 'image/png' : '' }), name);
  const headers = { authorization: `Bearer ${administrator.token}`, accept: 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.json() };
}

/** Returns a document with a picture, as Word saves it. */
async function wordWithPicture(): Promise<Buffer> {
  const zip = new JSZip();
  const types = 'http://schemas.openxmlformats.org/package/2006';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  zip.file(
    '[Content_Types].xml',
    `<Types xmlns="${types}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  );
  zip.file(
    '_rels/.rels',
    `<Relationships xmlns="${types}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
  );
  zip.file(
    'word/_rels/document.xml.rels',
    `<Relationships xmlns="${types}/relationships"><Relationship Id="p1" Type="${office}/image" Target="media/p.png"/></Relationships>`,
  );
  zip.file('word/media/p.png', await picture('#0050be', 200, 120));
  zip.file(
    'word/document.xml',
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><w:body><w:p><w:r><w:t>Avant</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:extent cx="1905000" cy="1143000"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="p1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
  );
  return zip.generateAsync({ type: 'nodebuffer' });
}

t.test('a full disk: the server starts and serves, refuses uploads completely, and accepts them again when space is free', async (t) => {
  const disk = createSmallDisk(t, 4);
  if (!disk) return;
  const abandoned = join(disk.folder, 'media', '.parts', 'of-a-process-that-was-killed');
  mkdirSync(join(disk.folder, 'media', '.parts'), { recursive: true });
  writeFileSync(abandoned, 'x');
  utimesSync(abandoned, 0, 0);
  disk.fill();
  const server = await world.startServer({ DATA_DIR: disk.folder });
  t.match(server.output(), '"alert":"disk-full"');
  const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text();
  const [, loader = ''] = /<script[^>]+src="(\/assets\/[^"]+)"/.exec(page) ?? [];
  for (const address of [loader, ...[...page.matchAll(/href="(\/assets\/[^"]+)"/g)].map(([, href = '']) => href)]) {
    t.equal((await fetch(`${server.url}${address}`)).status, 200, address);
  }
  t.notMatch(files(disk.folder).join(), 'part', 'no partial file, from now or earlier');

  const large = await picture('#be0050', 900, 600);
  const uploads = {
    'a cover': () =>
      send(server, '/api/prepas', 'image', large, 'x.png', {
        nom: 'ENS Yaoundé',
        description: 'Le concours.',
        prix: '15000',
        auteur: administrator.id,
      }),
    'a picture of a text': () => send(server, '/api/images', 'image', large, 'x.png'),
    'a document': () => send(server, `/api/lecons/${item.id}/documents`, 'fichier', pdf('fiche'), 'fiche.pdf'),
    'a Word file with a picture': async () => send(server, '/api/imports', 'fichier', await wordWithPicture(), 'a.docx'),
  };
  const rows = async () => [await count('prepa'), await count('content_image'), await count('item_document')];
  const before = await rows();
  const alerts = () => server.output().split('"alert":"disk-full"').length - 1;
  for (const [name, upload] of Object.entries(uploads)) {
    const known = alerts();
    t.same(await upload(), { status: 507, body: noPlace }, name);
    await t.resolves(
      until(async () => alerts() > known),
      `${name}: an alert is logged`,
    );
  }
  t.same(await rows(), before, 'no row was added');
  t.same(files(join(disk.folder, 'media')), [], 'no partial file remains');

  disk.free();
  for (const [name, upload] of Object.entries(uploads)) t.match((await upload()).status, /20[01]/, name);
  t.notMatch(files(disk.folder).join(), 'part');
  t.equal(await server.stop(), 0);
});

t.test('a log on a full disk loses lines, but the server keeps running', async (t) => {
  const disk = createSmallDisk(t, 1);
  if (!disk) return;
  const log = join(disk.folder, 'server.log');
  const output = openSync(log, 'a');
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(projectRoot, 'dist/server/server.js')], {
    cwd: tmpdir(),
    env: { ...bareEnvironment(), ...world.env, PORT: port },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until(async () => readFileSync(log, 'utf8').includes('Server listening'));
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/prepas/published`)).status;
  disk.fill();
  for (let asked = 0; asked < 50; asked += 1) t.equal(await ask(), 200);
  disk.free();
  const lines = () => readFileSync(log, 'utf8').split('\n').length;
  const held = lines();
  while (lines() === held) t.equal(await ask(), 200);
  disk.fill();
  // More lines than fit into the rest of the log's last page.
  for (let asked = 0; asked < 50; asked += 1) await ask();
  child.kill('SIGTERM');
  t.same(await ended, [0, null], 'the process ends without an error');
});

t.test("the database's disk is full: 503 in French, nothing partial, then recovery", async (t) => {
  const disk = createSmallDisk(t, 8);
  if (!disk) return;
  // A separate server: with replication the standby of the tests' server would fill the same disk and end.
  const own = await startOwnPostgres(t);
  const world = await onServer(own.url, () => createWorld(t));
  const { databaseUrl } = world;
  const administrator = await createAdministrator(world);
  const discipline = await createDiscipline(world);
  const { uid, gid } = statSync(join(own.dataDir, 'postgres'));
  const place = join(disk.folder, 'tablespace');
  mkdirSync(place);
  for (const path of [disk.folder, place]) chownSync(path, uid, gid);
  await sql(databaseUrl, `create tablespace small location '${place}'`);
  t.teardown(() => disk.free());
  const server = await world.startServer();
  const rename = (description: string) =>
    fetch(`${server.url}/api/prepas/${discipline.prepaId}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${administrator.token}`, accept: 'application/json' },
      body: formOf({ nom: 'ENS Yaoundé', description, prix: '15000' }),
    });
  await sql(databaseUrl, `alter table audit_entry set tablespace small`);
  t.equal((await rename('Avant.')).status, 200);
  disk.fill();
  // The last page of the table has space for some more rows.
  let asked = 0;
  let answer = await rename(`Essai ${asked}.`);
  while (answer.status === 200 && asked < 500) {
    asked += 1;
    answer = await rename(`Essai ${asked}.`);
  }
  t.equal(answer.status, 503);
  t.match(await answer.json(), { message: 'Le service est momentanément indisponible. Réessayez dans un instant.' });
  await t.resolves(
    until(async () => server.output().includes('"alert":"disk-full"')),
    'an alert is logged',
  );
  t.equal((await fetch(server.url, { headers: { accept: 'text/html' } })).status, 200, 'pages that only read are served');
  const [{ description } = {}] = await sql<{ description?: string }>(databaseUrl, 'select description from prepa where id = $1', [
    discipline.prepaId,
  ]);
  t.equal(description, `Essai ${asked - 1}.`, 'a change that the journal cannot record was not made');
  disk.free();
  t.equal((await rename('Après.')).status, 200);
});

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  return form;
}
