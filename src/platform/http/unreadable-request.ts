import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';

const refusals: Record<string, { status: number; heading: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    heading: 'Envoi trop lent',
    message: "La demande n'est pas arrivée en entier. Vérifiez votre connexion et réessayez.",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    heading: 'Adresse trop longue',
    message: "L'adresse demandée est trop longue. Revenez en arrière et raccourcissez ce que vous avez saisi.",
  },
};
const unreadable = { status: 400, heading: 'Requête invalide', message: "La demande n'a pas pu être lue. Rechargez la page et réessayez." };

/**
 * Responds to bytes that could not be parsed as a request: an address or cookies above 16 KB, a body that stops, no HTTP at all. The client
 * may be a person or a program, so the response is a minimal page without template or style.
 */
export function refuseUnreadable({ code }: ConnectionError, socket: Socket): void {
  // The client is gone.
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const { status, heading, message } = refusals[code] ?? unreadable;
  const body = `<!doctype html>\n<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head><body><h1>${heading}</h1><p>${message}</p></body></html>\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
