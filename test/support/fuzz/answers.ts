import { z } from 'zod';
import type { JsonSchema, Table } from './routes.ts';
import type { Sent } from './sent.ts';

// Checks that every response must pass, for any role, without knowledge of the application.

export interface Answer {
  /** HTTP status; 0 when no response came. */
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
  /** Time until the response was complete, in ms. */
  ms: number;
}

/** Longest accepted response time, in ms: a statement may take ten seconds, and the machine may be busy. */
const slowest = 20_000;
/** Timeout, in ms; the response then has the status 0. */
export const answerTimeoutMs = 30_000;

/** Texts that reveal the site's internals, or a missing value. */
const leaks =
  /\bundefined\b|\[object [A-Z]\w+\]|\bNaN\b|<%[=~]|\bat (?:async )?[\w.<>]+ \(|node:internal|node_modules|\bselect .{1,80} from \w|insert into "?\w|duplicate key|violates|syntax error at|ECONNREFUSED|invalid input syntax|relation "|\$argon2/;
/** Words and letters of French messages that no English message has. */
const french =
  /[éèêàçùœ']|\b(?:requ[iî]se?|invalides?|incorrecte?|pas|une?|est|sont|de|des|les|la|le|du|votre|vous|trop|page|introuvable|connecter|erreur|autoris)\b/i;
const known = new Set(['message', 'errors', 'imageError', 'expired']);

/** Returns the faults of a response, one per line. */
export function faultsOf(answer: Answer, sent: Sent, table: Table, allowedOrigins: readonly string[]): string[] {
  const { status, headers, body, ms } = answer;
  if (status === 0) return [`no answer: ${body}`];
  const faults: string[] = [];
  const shown = body.slice(0, 200);
  const path = sent.url.replace(/\?.*/s, '');
  if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)) faults.push(`status ${status}: ${shown}`);
  if (ms > slowest) faults.push(`took ${Math.round(ms)} ms`);
  const location = headers.location;
  if (
    location !== undefined &&
    !/^\/(?![/\\])/.test(String(location)) &&
    !allowedOrigins.some((origin) => String(location).startsWith(origin))
  )
    faults.push(`leads to ${location}`);
  const type = String(headers['content-type'] ?? '');
  const leak = leaks.exec(body)?.[0];
  // Text from the request or from stored content may contain such words.
  if (leak && /html|json/.test(type) && !path.includes('openapi') && !`${sent.url} ${sent.body ?? ''}`.includes(leak))
    faults.push(`says « ${body.slice(Math.max(0, body.indexOf(leak) - 60), body.indexOf(leak) + 100)} »`);
  if (sent.method === 'HEAD' || status === 204 || status === 304) return faults;
  if (type.startsWith('text/html')) faults.push(...pageFaults(body));
  else if (type.startsWith('application/json')) faults.push(...jsonFaults(answer, sent, table));
  else if (status >= 400) faults.push(`refused as « ${type} »: ${shown}`);
  return faults;
}

function pageFaults(html: string): string[] {
  const faults: string[] = [];
  if (!/^\s*<!doctype html>\s*<html[^>]* lang="fr"/i.test(html)) faults.push(`begins with ${html.slice(0, 80)}`);
  if (!/<\/html>\s*$/.test(html)) faults.push(`ends with ${html.slice(-80)}`);
  if (!/<title>[^<]{3,}<\/title>/.test(html)) faults.push('has no title');
  if (!/<h1[\s>]/.test(html)) faults.push('has no heading');
  return faults;
}

function jsonFaults({ status, body }: Answer, { method, url }: Sent, table: Table): string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [`is no JSON: ${body.slice(0, 100)}`];
  }
  if (status >= 400) return refusalFaults(value);
  const route = table.find(method, url.replace(/\?.*/s, ''));
  const schema = route?.answers[String(status)];
  if (!route || !schema) return [];
  const checked = checkerOf(schema, table).safeParse(value);
  return checked.success ? [] : [`is not as described: ${checked.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)}`];
}

const checkers = new WeakMap<JsonSchema, z.ZodType>();

function checkerOf(schema: JsonSchema, { schemas }: Table): z.ZodType {
  const made = checkers.get(schema);
  if (made) return made;
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/');
  const checker = z.fromJSONSchema(JSON.parse(text));
  checkers.set(schema, checker);
  return checker;
}

/** Checks a refusal: `{ message, errors?: [{ field, message }], imageError?, expired? }`, in French. Errors may have further properties. */
function refusalFaults(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`refuses with ${JSON.stringify(value)}`];
  const { message, errors = [], ...rest } = value as { message?: unknown; errors?: unknown };
  const messages = [message, ...(Array.isArray(errors) ? errors.map((error: { message?: unknown }) => error?.message) : [null])];
  const faults = messages
    .filter((one) => typeof one !== 'string' || !french.test(one))
    .map((one) => `refuses with the words ${JSON.stringify(one)}`);
  const strange = Object.entries(rest).filter(
    ([name, one]) => !known.has(name) && typeof one === 'object' && one !== null && 'stack' in one,
  );
  return [...faults, ...strange.map(([name]) => `tells its ${name}`)];
}
