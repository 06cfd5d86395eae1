/**
 * Child process (client-process.ts) that plays the candidates of a mock exam as their phones do: fetch the sealed paper ahead, the key at the
 * opening, send batches of answers, hand in. Every request is due at a time, whatever happened to earlier ones, and is repeated until it is
 * acknowledged. It sends back what the server acknowledged, and the times from due to acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../test/support/random.ts';
import { sessionCookie } from '../support/fixtures.ts';

export interface CandidatesPlan {
  origin: string;
  exam: number;
  /** Learners 1 to this number. */
  candidates: number;
  questions: { id: string; choices: string[] }[];
  /** In ms since 1970, like the other times: the sealed paper is fetched from then to the opening. */
  fetchFrom: number;
  opensAt: number;
  handInFrom: number;
  endsAt: number;
  /** Time between two batches of a candidate, in ms. */
  batchEvery: number;
  seed: number;
}

export interface CandidatesResult {
  /** Per candidate: per question the acknowledged choice's index, or '-'. */
  answers: string[];
  /** Per candidate: number of different batches that were acknowledged, hand-ins too. */
  batches: number[];
  /** Whether the candidate's hand-in was acknowledged. */
  handedIn: boolean[];
  /** Requests that were never acknowledged. */
  unacknowledged: number;
  repeated: number;
  refused: number;
  /** In ms, from due to acknowledged. */
  times: Record<'paper' | 'key' | 'batch' | 'handIn', number[]>;
}

/** Connections kept, as by a proxy in front of the site. */
const connections = 256;
const timeoutMs = 20_000;
/** How long after the end requests are repeated, in ms. */
const patienceMs = 50_000;
/** Share of candidates who never hand in, and of batches that are sent twice. */
const absent = 0.02;
const twice = 0.03;

const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });

process.on('message', async (plan: CandidatesPlan) => {
  process.send?.(await play(plan));
});

interface Answered {
  status: number;
  bytes: number;
}

function ask(origin: string, method: 'GET' | 'POST', path: string, cookie: string | null, body?: string): Promise<Answered> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        timeout: timeoutMs,
        headers: {
          accept: 'application/json',
          'sec-fetch-site': 'same-origin',
          ...(cookie && { cookie }),
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function play(plan: CandidatesPlan): Promise<CandidatesResult> {
  const { origin, exam, candidates, questions, fetchFrom, opensAt, handInFrom, endsAt, batchEvery, seed } = plan;
  const random = seeded(seed);
  const base = `/api/concours-blancs/${exam}`;
  const result: CandidatesResult = {
    answers: [],
    batches: Array<number>(candidates).fill(0),
    handedIn: Array<boolean>(candidates).fill(false),
    unacknowledged: 0,
    repeated: 0,
    refused: 0,
    times: { paper: [], key: [], batch: [], handIn: [] },
  };
  const running = new Set<Promise<void>>();

  /** Repeats a request until its good response, with pauses like a page's. @returns whether it came */
  const insist = async (kind: keyof CandidatesResult['times'], due: number, send: () => Promise<Answered>): Promise<boolean> => {
    for (let pause = 500; ; pause = Math.min(2 * pause, 8_000)) {
      const answer = await send().catch(() => null);
      if (answer?.status === 200) {
        result.times[kind].push(Date.now() - due);
        return true;
      }
      // 408: the body came too slowly, as on a busy machine.
      if (answer && answer.status < 500 && answer.status !== 408 && answer.status !== 429)
        throw new Error(`${kind} of exam ${exam}: an unexpected status ${answer.status}`);
      if (answer) result.refused += 1;
      else result.repeated += 1;
      if (Date.now() > endsAt + patienceMs) {
        result.unacknowledged += 1;
        return false;
      }
      await sleep(pause * (0.5 + random()));
    }
  };

  const phones = Array.from({ length: candidates }, (_, index) => ({
    index,
    cookie: sessionCookie(index + 1),
    device: randomUUID(),
    debut: Math.round(opensAt + random() * 5_000),
    number: 0,
    /** Newest choice by question: as given, and as acknowledged with its time. */
    given: new Map<number, number>(),
    known: new Map<number, { choice: number; at: number }>(),
    ability: 0.2 + 0.7 * random(),
    isAbsent: random() < absent,
  }));
  type Phone = (typeof phones)[number];

  /** Returns answers to some questions: most of them new, some changed. */
  const answer = (phone: Phone, count: number, now: number) =>
    Array.from({ length: count }, (_, step) => {
      const isChange = phone.given.size > 0 && (phone.given.size === questions.length || random() < 0.1);
      const at = isChange ? Math.floor(random() * phone.given.size) : phone.given.size;
      const choice = random() < phone.ability ? 0 : 1 + Math.floor(random() * 3);
      phone.given.set(at, choice);
      return { question: at, choice, at: now + step };
    });

  const sendBatch = async (phone: Phone, due: number, count: number, path: 'reponses' | 'remise') => {
    const now = Date.now();
    const answers = answer(phone, count, now);
    phone.number += 1;
    const body = JSON.stringify({
      appareil: phone.device,
      numero: phone.number,
      envoye: now + count,
      debut: phone.debut,
      reponses: answers.map(({ question, choice, at }) => {
        const asked = questions[question];
        return { q: asked?.id, g: { choices: [asked?.choices[choice]] }, t: at };
      }),
      ...(path === 'remise' && { fin: 'candidate' }),
    });
    const kind = path === 'remise' ? 'handIn' : 'batch';
    const send = () => ask(origin, 'POST', `${base}/${path}`, phone.cookie, body);
    if (random() < twice) void send().catch(() => {});
    if (!(await insist(kind, due, send))) return;
    if (answers.length > 0) result.batches[phone.index] = (result.batches[phone.index] ?? 0) + 1;
    for (const { question, choice, at } of answers)
      if ((phone.known.get(question)?.at ?? 0) < at) phone.known.set(question, { choice, at });
    if (path === 'remise') result.handedIn[phone.index] = true;
  };

  // All requests with the times at which they are due.
  const due: { at: number; run: (at: number) => Promise<unknown> }[] = [];
  const rounds = Math.max(1, Math.floor((handInFrom - opensAt) / batchEvery));
  const perBatch = Math.ceil((questions.length / rounds) * 0.95);
  for (const phone of phones) {
    due.push({
      at: fetchFrom + random() * (opensAt - fetchFrom - 2_000),
      run: (at) => insist('paper', at, () => ask(origin, 'GET', `${base}/scelle`, phone.cookie)),
    });
    due.push({ at: opensAt, run: (at) => insist('key', at, () => ask(origin, 'GET', `${base}/cle`, null)) });
    const offset = 5_000 + random() * Math.max(0, batchEvery - 5_000);
    for (let round = 0; round < rounds; round += 1) {
      const at = opensAt + offset + round * batchEvery;
      if (at < handInFrom) due.push({ at, run: () => sendBatch(phone, at, perBatch, 'reponses') });
    }
    if (!phone.isAbsent) {
      const at = handInFrom + random() * (endsAt - handInFrom - 1_000);
      due.push({ at, run: () => sendBatch(phone, at, 3, 'remise') });
    }
  }
  due.sort((one, other) => one.at - other.at);
  let fault: unknown = null;
  for (const { at, run } of due) {
    const wait = at - Date.now();
    if (wait > 1) await sleep(wait);
    if (fault) throw fault;
    const task: Promise<void> = run(at)
      .then(() => {})
      .catch((error: unknown) => {
        fault ??= error;
      })
      .finally(() => running.delete(task));
    running.add(task);
  }
  await Promise.all(running);
  if (fault) throw fault;
  result.answers = phones.map(({ known }) => questions.map((_, at) => known.get(at)?.choice ?? '-').join(''));
  return result;
}
