import { Worker } from 'node:worker_threads';
import { provideFonts } from '../../../../platform/files/drawing-fonts.ts';
import { openImage } from '../../../../platform/files/image-source.ts';
import { oneAtATime } from '../../../../platform/files/one-at-a-time.ts';
import type { DrawnSvg } from './metafile-thread.ts';

/** Largest drawing, in bytes. */
const maxBytes = 4 * 1024 * 1024;
/** Time limit of one drawing, in ms, with starting the thread. An ordinary one takes 20. */
const timeLimitMs = 5_000;
/** Memory limit of the thread, in MB. */
const maxMemoryMb = 256;
/** Width of the picture, in pixels: texts show at most 1,200. A small drawing is drawn at twice its size. */
const maxWidth = 1_200;

const EMF = Buffer.from(' EMF', 'latin1');

export interface DrawnMetafile {
  readonly png: Buffer;
  /** Width at which the drawing is meant to be shown, in CSS pixels. */
  readonly width: number;
}

/** Returns whether the bytes are a Windows drawing: EMF, or WMF with or without its placement. */
export function isMetafile(bytes: Buffer): boolean {
  const isPlaceableWmf = bytes.length > 4 && bytes.readUInt32LE(0) === 0x9ac6cdd7;
  const isWmf = bytes.length > 4 && (bytes[0] === 1 || bytes[0] === 2) && bytes.readUInt16LE(2) === 9;
  return isPlaceableWmf || isWmf || bytes.subarray(40, 44).equals(EMF);
}

/**
 * Returns a Windows drawing as PNG; null when it is damaged, too large, takes too long, or holds nothing that can be drawn.
 * @param limitMs time limit
 */
export async function drawMetafile(bytes: Buffer, limitMs = timeLimitMs): Promise<DrawnMetafile | null> {
  if (bytes.length > maxBytes) return null;
  const drawn = await inThread(bytes, limitMs);
  if (!drawn) return null;
  provideFonts();
  const scale = Math.max(0.1, Math.min(2, maxWidth / drawn.width));
  const png = await oneAtATime(() =>
    openImage(Buffer.from(drawn.svg), { density: 72 * scale })
      .flatten({ background: 'white' })
      .png()
      .toBuffer(),
  ).catch(() => null);
  return png && { png, width: Math.round(drawn.width) };
}

let thread: Worker | undefined;

/** Converts drawings one after the other: the caller waits for each. */
async function inThread(bytes: Buffer, limitMs: number): Promise<DrawnSvg> {
  // TypeScript sources run directly; the bundle has the thread's file next to it (vite.config.ts).
  const file = new URL(import.meta.url.endsWith('.ts') ? './metafile-thread.ts' : './metafile-thread.js', import.meta.url);
  thread ??= new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb }, execArgv: [], env: {} });
  const running = thread;
  running.ref();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DrawnSvg>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('time limit')), limitMs);
      running.once('message', resolve).once('error', reject).once('exit', reject);
      running.postMessage(Uint8Array.from(bytes));
    });
  } catch {
    thread = undefined;
    await running.terminate();
    return null;
  } finally {
    clearTimeout(timer);
    for (const event of ['message', 'error', 'exit']) running.removeAllListeners(event);
    // An idle thread keeps no process alive.
    running.unref();
  }
}
