import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import sharp from 'sharp';

/** Returns a small valid picture; another colour gives a different file. */
export function picture(colour = '#be0050', width = 64, height = 36): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();
}

interface Upload {
  method: 'POST' | 'PUT';
  url: string;
  fields?: Record<string, string | number>;
  image?: Buffer | null;
  /** A document, for the field `fichier`. */
  fichier?: Buffer | null;
  /** The file name sent by the browser. */
  fileName?: string;
  session?: string;
  headers?: Record<string, string>;
}

/** Sends a multipart form as a page of the site does. */
export async function upload(
  app: FastifyInstance,
  { method, url, fields = {}, image, fichier, fileName, session, headers }: Upload,
): Promise<LightMyRequestResponse> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (image) form.set('image', new Blob([new Uint8Array(image)], { type: 'image/png' }), fileName ?? 'image.png');
  if (fichier) form.set('fichier', new Blob([new Uint8Array(fichier)]), fileName ?? 'fiche.pdf');
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return app.inject({
    method,
    url,
    headers: {
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      'content-type': request.headers.get('content-type') ?? '',
      ...(session ? { cookie: session } : {}),
      ...headers,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}
