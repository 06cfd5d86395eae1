import { arrival } from '../access.ts';
import { meet } from '../meet.ts';
import { note, sendOutbox } from '../outbox.ts';
import { leaveIfEmpty, putSignOut, removeCopies, signOutToSend, tellOfRemoved } from '../removal.ts';
import { tellOfChange } from '../store/changes.ts';
import { copies } from '../store/copies.ts';
import { note as noted, putNote } from '../store/device.ts';
import { dropFiles } from '../store/files.ts';
import { ignore } from '../store/ignore.ts';
import {
  type Answer,
  disciplineMarks,
  itemMark,
  itemText,
  keptFile,
  keptPage,
  keptWhenLate,
  pageFromNetwork,
  type ReadingMark,
  studyForm,
} from './answers.ts';
import { forgetKnown, type Kept, known, whatIsKept } from './kept.ts';
import { pause } from './pause.ts';
import type { FetchEvent, WorkerScope } from './scope.ts';

/**
 * Answers what is kept on this device, and nothing else (docs/offline.md). It keeps nothing by itself and renders nothing; whatever fails in it, the request goes to
 * the network as if it were not there.
 */
const scope = globalThis as unknown as WorkerScope;

/** What was done within so many ms is sent together. */
const gatherMs = 1_000;
/** For what is still to be sent before a sign-out, in ms. */
const lastWordMs = 4_000;
/** For the server to answer a sign-out, in ms. */
const signOutMs = 10_000;

const account = /\/(logout|login|register)$/;
const call = /^\/api\/(items|disciplines)\/(\d+)\/(texte|lus?|termine|rouvert)$/;
const study = /^(\/user\/prepa\/([1-9]\d*)(?:\/([1-9]\d*))?)(?:\/(entrainement|suite|termine|rouvert))?$/;

scope.oninstall = () => scope.skipWaiting();
scope.onactivate = (event) => event.waitUntil(scope.clients.claim());

scope.onfetch = (event) => {
  const { method, headers, url } = event.request;
  const address = new URL(url);
  if (address.origin !== location.origin || !/GET|POST/.test(method) || headers.has('range')) return;
  // After an administrator's sign-out the browser clears all that the site keeps.
  if (/^\/(api\/)?admin(?!\/logout$)/.test(address.pathname)) return;
  const kept = known;
  if (!kept) return event.respondWith(ask(event, address));
  const answer = answerOf(event, address, kept);
  if (answer) event.respondWith(orNetwork(answer, event.request));
};

/** When what is kept has still to be read. */
async function ask(event: FetchEvent, address: URL): Promise<Response> {
  const kept = await whatIsKept().catch(ignore);
  return orNetwork(kept && answerOf(event, address, kept), event.request);
}

const orNetwork = async (answer: Answer | null | undefined, request: Request): Promise<Response> =>
  (await answer?.catch(ignore)) ?? fetch(request);

/** None for what does not concern anything that is kept. */
function answerOf(event: FetchEvent, { pathname, searchParams }: URL, kept: Kept): Answer | undefined {
  const { request } = event;
  if (!kept.any) return;
  const isPost = request.method === 'POST';
  if (kept.leaving) return afterSignOut(request);
  const [, change] = account.exec(pathname) ?? [];
  if (isPost && change) return change === 'logout' ? leave(request, pathname) : arrive(event);

  const [, of, number, what] = call.exec(pathname) ?? [];
  const id = Number(number);
  if (of === 'disciplines' && what === 'lus' && !isPost && kept.disciplines.has(id)) return disciplineMarks(id);
  if (of === 'items' && kept.items.has(id)) {
    const isText = what === 'texte';
    if (isPost !== isText) return noting(event, isText ? itemText(id, request) : itemMark(id, what as ReadingMark, request));
  }

  const [, base = '', prepaId, disciplineId, part = ''] = study.exec(pathname) ?? [];
  const [prepa = 0, discipline = 0] = [prepaId, disciplineId].map(Number);
  const isOpen = kept.disciplines.get(discipline) === prepa;
  if (isPost) return isOpen && part && part !== 'suite' ? noting(event, studyForm(base, discipline, part, request)) : undefined;

  if (/^\/((media|documents|assets)\/|favicon)/.test(pathname)) return kept.prepas.size ? keptFile(pathname) : undefined;
  if (request.mode !== 'navigate') return;
  event.waitUntil(opened(isOpen && part !== 'suite' ? Number(searchParams.get('item')) : 0, kept));
  const whose = pathname === '/user/recherche' ? Number(searchParams.get('prepa')) : prepa;
  // Where only some disciplines are kept, what is said of the whole prepa is the server's to say.
  const isKept = disciplineId ? isOpen && part !== 'termine' : kept.prepas.get(whose) && !part;
  if (isKept && !searchParams.has('reseau')) return keptPage(whose).then((page) => page ?? pageFromNetwork(request));
  if (!kept.prepas.size) return;
  return pathname === '/user/a-revoir' ? keptWhenLate(request) : pageFromNetwork(request);
}

/** Keeps what a page opens, and tells the server from time to time. */
async function opened(item: number, { items }: Kept): Promise<void> {
  if (items.has(item)) await note('lu', item).catch(ignore);
  await inContact(false);
}

async function inContact(forced: boolean): Promise<void> {
  if (await meet(forced)) forgetKnown();
}

/** What an answer notes is sent soon. */
async function noting(event: FetchEvent, answer: Answer): Answer {
  const given = await answer;
  if (given) event.waitUntil(sendSoon());
  return given;
}

let sending: Promise<void> | null = null;

/** Sends what was done, once for all of the next second. */
function sendSoon(): Promise<void> {
  sending ??= pause(gatherMs).then(() => {
    sending = null;
    return send();
  });
  return sending;
}

/** All copies are one learner's. */
async function send(): Promise<void> {
  const [copy] = await copies();
  if (copy) await sendOutbox(copy.learner);
}

/**
 * Answers a sign-out. What is kept goes at once; what was done is sent, and the server hears that nothing is kept. A learner's sign-out is noted first, so that it is
 * sent later if the network does not let it through now.
 */
async function leave(request: Request, pathname: string): Answer {
  await copies()
    .then(([copy]) => putSignOut([copy?.learner, pathname]))
    .then(removeCopies)
    .catch(dropFiles)
    .catch(ignore);
  forgetKnown();
  return afterSignOut(request, request);
}

/**
 * Answers a request when the sign-out that waits has been sent, after what was done; until then nothing else is sent, and a page says so.
 * @param own the request itself when it is the sign-out
 */
async function afterSignOut(request: Request, own?: Request): Answer {
  const waiting = await signOutToSend();
  if (!waiting) return fetch(request);
  const [learner, path] = waiting;
  await within(lastWordMs, sendOutbox(learner).then(tellOfRemoved));
  const answer = await within(signOutMs, fetch(own ?? new Request(path, { method: 'POST' })));
  const isSent = answer && answer.status < 400;
  // What the page says is not true of an administrator's: their pages do not pass here.
  if (!isSent && !/admin/.test(path)) return farewell(request);
  await putSignOut(null).then(leaveIfEmpty).catch(ignore);
  forgetKnown();
  return own ? answer : fetch(request);
}

/** Undefined when it has failed, or takes longer. */
const within = <Result>(ms: number, work: Promise<Result>) => Promise.race([work, pause(ms)]).catch(ignore) as Promise<Result | undefined>;

async function farewell({ mode }: Request): Promise<Response> {
  const page = mode === 'navigate' && (await noted<Blob>('farewell'));
  return page ? new Response(page) : Response.error();
}

/**
 * Answers a sign-in or a registration. From before it is sent nothing is shown until a contact has said whose session it is; a sign-in that has failed changes no session,
 * and what was shown before is shown again.
 */
async function arrive(event: FetchEvent): Answer {
  const before = await arrival();
  await noteArrival(Date.now());
  const answer = await fetch(event.request).catch(ignore);
  // A form's answer that leads on cannot be looked into: it may be a session.
  if (answer && answer.status < 400) event.waitUntil(inContact(true));
  else await noteArrival(before);
  return answer;
}

async function noteArrival(at: unknown): Promise<void> {
  await putNote('arrival', at);
  forgetKnown();
  tellOfChange();
}
