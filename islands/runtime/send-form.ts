import { type Answer, readAnswer } from './post.ts';

/** Timeout of the upload, in ms: long enough for a picture of 2 MB over a slow mobile network. */
const timeoutMs = 180_000;

/**
 * Sends a multipart form and reports the uploaded share, from 0 to 1, which `fetch` cannot report. Returns null when no response came; the
 * server may have received the form all the same.
 */
export function sendForm<Body>(
  method: 'POST' | 'PUT',
  path: string,
  form: FormData,
  onProgress: (sent: number) => void,
): Promise<Answer<Body> | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('accept', 'application/json');
    request.timeout = timeoutMs;
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onload = () => resolve(readAnswer(request.status, request.responseText));
    request.onerror = () => resolve(null);
    request.ontimeout = () => resolve(null);
    request.onabort = () => resolve(null);
    request.send(form);
  });
}
