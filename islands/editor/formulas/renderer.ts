import { cachedMathml, cacheMathml } from './formula-cache.ts';

/** Timeout of one formula, in ms. */
const TIMEOUT_MS = 1_500;

export type RenderResult =
  | { ok: true; mathml: string }
  /** `unavailable`: the renderer could not be loaded, so the formula was not checked. */
  | { ok: false; message: string; unavailable?: true };

/** Messages between the page and the worker. */
export interface RenderRequest {
  id: number;
  latex: string;
  display: boolean;
}
export type RenderReply = 'ready' | { id: number; result: RenderResult };

interface Job extends RenderRequest {
  answer: (result: RenderResult) => void;
}

const waiting: Job[] = [];
let worker: Worker | null = null;
let ready = false;
let current: Job | null = null;
let timer = 0;
let lastId = 0;

/**
 * Renders a formula to MathML, in a worker, so that no formula can block typing. Fails after a timeout. Results are cached.
 */
export function renderFormula(latex: string, display: boolean): Promise<RenderResult> {
  const mathml = cachedMathml(latex, display);
  if (mathml) return Promise.resolve({ ok: true, mathml });
  return new Promise((answer) => {
    lastId += 1;
    waiting.push({ id: lastId, latex, display, answer });
    work();
  });
}

function work(): void {
  worker ??= startWorker();
  if (!ready || current || waiting.length === 0) return;
  current = waiting.shift() as Job;
  const { id, latex, display } = current;
  worker.postMessage({ id, latex, display } satisfies RenderRequest);
  timer = window.setTimeout(() => {
    stopWorker();
    finish({ ok: false, message: 'La formule demande trop de temps' });
  }, TIMEOUT_MS);
}

function startWorker(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<RenderReply>) => {
    if (data === 'ready') {
      ready = true;
      work();
    } else if (data.id === current?.id) finish(data.result);
  });
  started.addEventListener('error', (event) => {
    event.preventDefault();
    stopWorker();
    for (const job of [...(current ? [current] : []), ...waiting.splice(0)]) {
      job.answer({ ok: false, unavailable: true, message: "La formule ne peut pas être affichée pour l'instant" });
    }
    current = null;
  });
  return started;
}

function stopWorker(): void {
  clearTimeout(timer);
  worker?.terminate();
  worker = null;
  ready = false;
}

function finish(result: RenderResult): void {
  clearTimeout(timer);
  const job = current;
  current = null;
  if (job) {
    if (result.ok) cacheMathml(job.latex, job.display, result.mathml);
    job.answer(result);
  }
  if (waiting.length > 0) work();
}
