import { Agent, type IncomingMessage, request } from 'node:http';
import { cpuTime, databaseCpuTime } from './cpu-time.ts';

/** Concurrent connections: enough to keep one process busy, few enough to leave the other core to PostgreSQL and this client. */
const concurrency = 8;
const timeoutMs = 15_000;

export interface Target {
  origin: string;
  pid: number;
  /** Process id of the PostgreSQL postmaster. */
  databasePid: number;
  /** Returns the n-th request: a POST when it has a body. */
  request(n: number): { path: string; headers: Record<string, string>; body?: string };
  /** Called for every response; throws when the response is not the expected one. */
  check?(response: IncomingMessage, n: number): void;
}

export interface Load {
  requests: number;
  /** CPU time of the server process per request, user and system, in ms. */
  cpuMs: number;
  /** CPU time of all PostgreSQL processes per request, in ms. */
  databaseMs: number;
  perSecond: number;
  /** Average size of a body as transferred, in bytes. */
  bytes: number;
}

/** A client of one server; it keeps its connections between runs. */
export class LoadClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: concurrency, maxFreeSockets: concurrency });
  readonly #target: Target;
  #sent = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @param passes number of runs of `requests` each; `between` is called before each, and its time is not counted */
  async run(requests: number, { passes = 1, between = async () => {} } = {}): Promise<Load> {
    const { pid, databasePid } = this.#target;
    let cpu = 0;
    let database = 0;
    let seconds = 0;
    let bytes = 0;
    for (let pass = 0; pass < passes; pass += 1) {
      await between();
      const [cpuBefore, databaseBefore, timeBefore] = [cpuTime(pid), databaseCpuTime(databasePid), performance.now()];
      bytes += await this.#pass(requests);
      seconds += (performance.now() - timeBefore) / 1000;
      cpu += cpuTime(pid) - cpuBefore;
      database += databaseCpuTime(databasePid) - databaseBefore;
    }
    const total = requests * passes;
    return { requests: total, cpuMs: cpu / total, databaseMs: database / total, perSecond: total / seconds, bytes: bytes / total };
  }

  async #pass(requests: number): Promise<number> {
    const end = this.#sent + requests;
    let bytes = 0;
    const worker = async () => {
      while (this.#sent < end) {
        const n = this.#sent;
        this.#sent += 1;
        const received = await this.#one(n);
        bytes += received;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return bytes;
  }

  #one(n: number): Promise<number> {
    const { path, headers, body } = this.#target.request(n);
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#target.origin}${path}`, { agent: this.#agent, method, headers, timeout: timeoutMs }, (response) => {
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => {
          try {
            if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
            this.#target.check?.(response, n);
            resolve(bytes);
          } catch (error) {
            reject(error);
          }
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${path} took more than ${timeoutMs} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
