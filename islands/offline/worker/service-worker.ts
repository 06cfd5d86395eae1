import { arrival } from '../both/access.ts';
import { type LearnerPath, learnerPaths } from '../both/learner-paths.ts';
import { meet } from '../both/meet.ts';
import { note, sendOutbox } from '../both/outbox.ts';
import { leaveIfEmpty, putSignOut, removeCopies, signOutToSend, tellOfRemoved } from '../both/removal.ts';
import { tellOfChange } from '../both/store/changes.ts';
import { copies } from '../both/store/copies.ts';
import { note as noted, putNote } from '../both/store/device.ts';
import { dropFiles } from '../both/store/files.ts';
import { ignore } from '../both/store/ignore.ts';
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
 * The service worker: responds to requests for kept prepas, and to no others (docs/offline.md). It downloads no copies and renders no pages.
 * If anything fails in the worker, the request goes to the network.
 */
const scope = globalThis as unknown as WorkerScope;

/** Actions within this time are sent in one call, in ms. */
const gatherMs = 1_000;
/** Timeout of the calls before a sign-out, in ms. */
const lastWordMs = 4_000;
/** Time after which the kept room of a mock exam is shown, in ms. */
const roomMs = 4_000;
/** Response timeout of a sign-out, in ms. */
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
  // Administration pages are left alone, except for the sign-out: the browser then clears all of the site's data.
  if (/^\/(api\/)?admin(?!\/logout$)/.test(address.pathname)) return;
  // After a start of the worker, the index of kept data is read first.
  const answer = known ? answerOf(event, address, known) : whatIsKept().then((kept) => answerOf(event, address, kept));
  if (answer) event.respondWith(orNetwork(answer, event.request));
};

const orNetwork = async (answer: Answer, request: Request): Promise<Response> => (await answer.catch(ignore)) ?? fetch(request);

/** Returns the response for a request; undefined when the request does not concern kept data. */
function answerOf(event: FetchEvent, { pathname, search, searchParams }: URL, kept: Kept): Answer | undefined {
  const { request } = event;
  if (kept.exam && !kept.leaving) {
    const file = () => caches.match(pathname);
    if (/^\/user\/concours-blancs\/\d+\/salle$/.test(pathname)) return keptWhenLate(request, roomMs, file);
    if (pathname.startsWith('/assets/')) return file();
  }
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
  // If only some disciplines are kept, pages about the whole prepa come from the server.
  const isKept = disciplineId ? isOpen && part !== 'termine' : kept.prepas.get(whose) && !part;
  if (isKept && !searchParams.has('reseau')) return keptPage(whose).then((page) => page ?? pageFromNetwork(request));
  if (!kept.prepas.size) return;
  const late = learnerPaths[(pathname + search) as LearnerPath];
  return late ? keptWhenLate(request, late) : pageFromNetwork(request);
}

/** Notes the item that a page opens, and contacts the server when a contact is due. */
async function opened(item: number, { items }: Kept): Promise<void> {
  if (items.has(item)) await note('lu', item).catch(ignore);
  await inContact(false);
}

async function inContact(forced: boolean): Promise<void> {
  if (await meet(forced)) forgetKnown();
}

/** Sends the outbox soon after a response that added to it. */
async function noting(event: FetchEvent, answer: Answer): Answer {
  const given = await answer;
  if (given) event.waitUntil(sendSoon());
  return given;
}

let sending: Promise<void> | null = null;

/** Sends the outbox after `gatherMs`. Calls within that time share one sending. */
function sendSoon(): Promise<void> {
  sending ??= pause(gatherMs).then(() => {
    sending = null;
    return send();
  });
  return sending;
}

/** Sends the outbox of the learner of the copies. All copies belong to one learner. */
async function send(): Promise<void> {
  const [copy] = await copies();
  if (copy) await sendOutbox(copy.learner);
}

/**
 * Handles a sign-out: removes all copies at once, sends the outbox, and reports the removal to the server. The sign-out is first noted as
 * pending, so that it is sent later if the network fails now.
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
 * Sends the outbox and the pending sign-out, then the request. While the sign-out cannot be sent, no other request is sent, and navigations
 * get a page that explains this.
 * @param own the request, if it is the sign-out itself
 */
async function afterSignOut(request: Request, own?: Request): Answer {
  const waiting = await signOutToSend();
  if (!waiting) return fetch(request);
  const [learner, path] = waiting;
  await within(lastWordMs, sendOutbox(learner).then(tellOfRemoved));
  const answer = await within(signOutMs, fetch(own ?? new Request(path, { method: 'POST' })));
  // Any response but "too many requests" and server errors is final: there is no session to end, or it has ended.
  const isSent = answer && answer.status < 429;
  // An administrator's sign-out is not kept pending: the administration's pages do not pass this worker.
  if (!isSent && !/admin/.test(path)) return farewell(request);
  await putSignOut(null).then(leaveIfEmpty).catch(ignore);
  forgetKnown();
  return own ? answer : fetch(request);
}

/** Returns the result of `work`; undefined when it fails or takes longer than `ms`. */
const within = <Result>(ms: number, work: Promise<Result>) => Promise.race([work, pause(ms)]).catch(ignore) as Promise<Result | undefined>;

async function farewell({ mode }: Request): Promise<Response> {
  const page = mode === 'navigate' && (await noted<Blob>('farewell'));
  return page ? new Response(page) : Response.error();
}

/**
 * Handles a sign-in or a registration. From before the request is sent, no copy is shown until a contact has confirmed the learner. A failed
 * sign-in changes no session: copies are shown as before.
 */
async function arrive(event: FetchEvent): Answer {
  const before = await arrival();
  await noteArrival(Date.now());
  const answer = await fetch(event.request).catch(ignore);
  // The redirect of a plain form is opaque to the worker: it may have opened a session.
  if (answer && answer.status < 400) event.waitUntil(inContact(true));
  else await noteArrival(before);
  return answer;
}

async function noteArrival(at: unknown): Promise<void> {
  await putNote('arrival', at);
  forgetKnown();
  tellOfChange();
}
