import type { Dice } from './dice.ts';
import type { Memory } from './memory.ts';
import type { Form } from './pages.ts';
import { patternOf, type Route } from './routes.ts';
import type { Sent } from './sent.ts';
import { anyId, json, key, ofSchema, plausible, text } from './values.ts';
import type { Viewer } from './viewers.ts';

const formType = 'application/x-www-form-urlencoded';

/** Returns the next request: one of several kinds, preferring what was tried least. */
export function nextRequest(dice: Dice, memory: Memory, viewers: readonly Viewer[]): Sent {
  const kind = dice.below(100);
  const drawn =
    (kind < 30 && borrow(dice, memory, viewers)) ||
    (kind < 50 && fillForm(dice, memory, viewers)) ||
    (kind < 62 && followLink(dice, memory)) ||
    (kind < 65 && memory.last) ||
    fromTable(dice, memory, viewers);
  return disturb(dice, drawn);
}

/**
 * Repeats a successful request as another account, to check that the result depends on the account. Prefers requests for data that is not
 * public.
 */
function borrow(dice: Dice, memory: Memory, viewers: readonly Viewer[]): Sent | null {
  const drawn = memory.preciousFiles.length > 0 && dice.chance(20) ? memory.preciousFiles : memory.precious;
  const successes = drawn.length > 0 && dice.chance(75) ? drawn : memory.successes;
  if (successes.length === 0) return null;
  const [request, viewer] = memory.leastTried(
    Array.from({ length: 6 }, () => [dice.one(successes), dice.one(viewers)] as const),
    ([sent, { name }]) => `borrow ${sent.viewer === name ? 'itself' : ''} ${sent.method} ${sent.url} ${name}`,
  );
  const { cookie: _cookie, authorization: _authorization, ...headers } = request.headers;
  const url = request.method === 'GET' && dice.chance(20) ? elsewhere(dice, memory, request.url) : request.url;
  return { ...request, url, viewer: viewer.name, headers: { ...headers, ...viewer.headers(dice) }, why: `as ${request.viewer} did` };
}

/** Returns the URL of another route with the same parameters and query, such as the trial of a full page. */
function elsewhere(dice: Dice, { table }: Memory, url: string): string {
  const [path = '', query] = url.split('?', 2);
  const route = table.find('GET', path);
  const like = table.routes.filter(
    ({ method, params, key }) => method === 'GET' && key !== route?.key && params.length > 0 && params.join() === route?.params.join(),
  );
  if (!route || like.length === 0) return url;
  const [, ...values] = route.urls.map((one) => patternOf(one).exec(path)).find((match) => match) ?? [];
  const other = dice.one(dice.one(like).urls).replaceAll(/:\w+|\*/g, () => values.shift() ?? '1');
  return query === undefined ? other : `${other}?${query}`;
}

function followLink(dice: Dice, memory: Memory): Sent | null {
  if (memory.links.length === 0) return null;
  // Browsers also request a page's pictures.
  const links = memory.files.length > 0 && dice.chance(30) ? memory.files : memory.links;
  const link = memory.leastTried(
    Array.from({ length: 4 }, () => dice.one(links)),
    ({ viewer, url }) => `link ${viewer.name} ${url}`,
  );
  return page(link.viewer, link.url, dice, 'a link');
}

const page = (viewer: Viewer, url: string, dice: Dice, why: string): Sent => ({
  viewer: viewer.name,
  method: 'GET',
  url,
  headers: { accept: 'text/html', ...viewer.headers(dice) },
  why,
});

/** Fills in a form of a page, usually as the account that saw it. */
function fillForm(dice: Dice, memory: Memory, viewers: readonly Viewer[]): Sent | null {
  if (memory.forms.length === 0) return null;
  const found = memory.leastTried(
    Array.from({ length: 4 }, () => dice.one(memory.forms)),
    ({ viewer, form }) => `form ${viewer.name} ${memory.routeOf({ method: form.method, url: form.action })}`,
  );
  const { form } = found;
  const viewer = dice.chance(15) ? dice.one(viewers) : found.viewer;
  const fields = new URLSearchParams();
  for (const field of form.fields) fillField(dice, fields, field, memory);
  if (dice.chance(4)) fields.append(dice.one(['__proto__', 'constructor', 'role', 'suite', 'vu']), text(dice).toWellFormed());
  if (form.method === 'GET') return page(viewer, `${form.action.replace(/\?.*/, '')}?${fields}`, dice, 'a form');
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'content-type': formType, ...viewer.headers(dice) };
  return { viewer: viewer.name, method: form.method, url: form.action, headers, body: String(fields), why: 'a form' };
}

function fillField(dice: Dice, fields: URLSearchParams, { name, type, value, options }: Form['fields'][number], memory: Memory): void {
  if (dice.chance(4)) return;
  if (dice.chance(8)) fields.append(name, text(dice).toWellFormed());
  else if (dice.chance(2)) for (const one of [value, value]) fields.append(`${name}[]`, one);
  else if (options.length > 0) fields.append(name, dice.one(options));
  else if (type === 'hidden' || type === 'button') fields.append(name, dice.chance(85) ? value : plausible(dice, name, memory.known));
  else if (type === 'checkbox') {
    if (dice.chance(50)) fields.append(name, value || 'on');
  } else fields.append(name, value !== '' && dice.chance(40) ? value : plausible(dice, name, memory.known));
  if (dice.chance(2)) fields.append(name, value);
}

/** Draws a route of the application's route table, with ids of this site and a body that follows its API description. */
function fromTable(dice: Dice, memory: Memory, viewers: readonly Viewer[]): Sent {
  const route = memory.leastTried(
    Array.from({ length: 6 }, () => dice.one(memory.table.routes)),
    ({ key }) => `route ${key}`,
  );
  // Usually an account that the description allows; `borrow` tries the request as other accounts.
  const named = viewers.filter(({ guard }) => guard !== null && guard === route.guard);
  const viewer = memory.leastTried(
    Array.from({ length: 3 }, () => dice.one(named.length > 0 && dice.chance(75) ? named : viewers)),
    ({ name }) => `${name} ${route.key}`,
  );
  const url = dice.one(route.urls);
  const call = route.urls.length > 1 || url.startsWith('/api/');
  const headers: Record<string, string> = {
    accept: call ? 'application/json' : 'text/html',
    'sec-fetch-site': 'same-origin',
    ...viewer.headers(dice),
  };
  const sent: Sent = { viewer: viewer.name, method: route.method, url: fillAddress(dice, route, url, memory), headers, why: 'the table' };
  if (route.method === 'GET') return sent;
  return { ...sent, ...bodyOf(dice, route, memory, headers) };
}

function fillAddress(dice: Dice, route: Route, url: string, memory: Memory): string {
  let index = 0;
  const seen = memory.seenAddresses(route);
  const [, ...groups] = (seen.length > 0 && dice.chance(60) && patternOf(route.urls.at(-1) ?? url).exec(dice.one(seen))) || [];
  const path = url.replaceAll(/:\w+|\*/g, (name) => {
    const known = groups[index];
    index += 1;
    return known !== undefined && dice.chance(90)
      ? known
      : dice.chance(80)
        ? encodeURIComponent(key(dice, name.slice(1), memory.known, route.numbers))
        : anyId(dice);
  });
  const query = new URLSearchParams();
  for (const name of [...route.query, ...memory.queryNames(route)]) {
    if (dice.chance(60)) continue;
    query.append(name, dice.chance(60) ? plausible(dice, name, memory.known) : text(dice).toWellFormed());
    if (dice.chance(10)) query.append(dice.one([name, `${name}[]`, `${name}[a]`]), '1');
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function bodyOf(dice: Dice, { body, method }: Route, memory: Memory, headers: Record<string, string>): Pick<Sent, 'headers' | 'body'> {
  if (!body && (method === 'DELETE' || dice.chance(70))) return { headers };
  const value = body && dice.chance(94) ? ofSchema(dice, body.schema, '', memory.known, memory.table.schemas) : json(dice);
  if (body?.type === 'multipart/form-data') return multipart(dice, value, headers);
  if (typeof value === 'object' && value !== null && dice.chance(12)) {
    const fields = new URLSearchParams(Object.entries(value).map(([name, one]) => [name, textOf(one)]));
    return { headers: { ...headers, 'content-type': formType }, body: String(fields) };
  }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(value) ?? '' };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''));

const boundary = 'limite';
/** A minimal picture, a document, and a file that only pretends to be one. */
const files = [
  {
    name: 'point.png',
    type: 'image/png',
    bytes: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  { name: 'fiche.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64') },
  { name: 'texte.md', type: 'text/markdown', bytes: Buffer.from('# Titre\n\nUn texte.\n').toString('base64') },
  { name: '../../x.docx', type: 'image/png', bytes: Buffer.from('PK\x03\x04rien').toString('base64') },
  { name: 'vide.jpg', type: 'image/jpeg', bytes: '' },
];

function multipart(dice: Dice, value: unknown, headers: Record<string, string>): Pick<Sent, 'headers' | 'body'> {
  const parts: string[] = [];
  for (const [name, one] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    const file = /image|fichier/.test(name) ? (dice.chance(40) ? files[0] : dice.one(files)) : null;
    const disposition = `form-data; name="${name.replaceAll(/["\r\n]/g, '_')}"`;
    if (file)
      parts.push(
        `content-disposition: ${disposition}; filename="${file.name}"\r\ncontent-type: ${file.type}\r\n\r\n${Buffer.from(file.bytes, 'base64').toString('latin1')}`,
      );
    else parts.push(`content-disposition: ${disposition}\r\n\r\n${Buffer.from(textOf(one)).toString('latin1')}`);
  }
  const end = dice.chance(5) ? '' : `--${boundary}--\r\n`;
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    // Binary data as one character per byte.
    body: parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('') + end,
  };
}

const strangeHeaders: Record<string, string>[] = [
  { accept: '*/*' },
  { accept: 'text/html;q=x,,;' },
  { accept: 'application/json' },
  { accept: 'text/html' },
  { 'if-none-match': '*' },
  { range: 'bytes=5-1' },
  { 'x-forwarded-for': ', , "' },
  { 'x-forwarded-host': 'evil.cm' },
  { 'x-http-method-override': 'DELETE' },
  { 'accept-language': 'x'.repeat(2_000) },
  { 'accept-encoding': '*;q=0' },
];
const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': '' }];
const contentTypes = [
  'text/plain',
  'application/xml',
  'application/json',
  formType,
  'multipart/form-data',
  'application/json; charset=utf-16',
  '',
];

/** Changes some requests: another origin, another content type, or a truncated body. */
function disturb(dice: Dice, sent: Sent): Sent {
  let { headers, body } = sent;
  if (dice.chance(6)) headers = { ...headers, ...dice.one(strangeHeaders) };
  if (sent.method !== 'GET') {
    if (dice.chance(4)) headers = { ...headers, ...dice.one(foreign) };
    if (body !== undefined && dice.chance(3)) headers = { ...headers, 'content-type': dice.one(contentTypes) };
    if (body !== undefined && dice.chance(3)) body = body.slice(0, dice.below(body.length + 1));
    if (dice.chance(1)) body = dice.one(['['.repeat(20_000), `{"a":${'{"a":'.repeat(2_000)}1`, 'x'.repeat(70_000)]);
  }
  return { ...sent, headers, ...(body !== undefined && { body }) };
}
