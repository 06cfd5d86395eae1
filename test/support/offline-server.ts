import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type {
  CopyState,
  ItemChange,
  KeptItem,
  KeptMark,
  OutboxEntry,
  RemovalReason,
  TextsAnswer,
} from '../../src/shared/offline/offline-copy.ts';
import { changeOf } from '../../src/shared/offline/text-change.ts';

/** A file's content type and body. */
type File = [type: string, body: string | Buffer];

/**
 * Starts a server with the site's API for kept prepas (src/shared/offline), whose failures tests control: it hangs, goes away, refuses
 * requests, or ends a copy. It has one prepa, 7, with discipline 10.
 */
export async function offlineServer(t: Test, files: Record<string, File>) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const state = {
    network: 'there' as 'there' | 'gone' | 'hanging',
    /** Null when nobody is signed in. */
    learner: 'moi' as string | null,
    end: Date.now() + 1e9,
    /** The state that `contact` returns. */
    says: 'keep' as CopyState,
    reason: null as RemovalReason | null,
    items: [] as KeptItem[],
    /** Earlier versions that the server knows: for these it sends only the changes of the texts. */
    earlier: [] as KeptItem[],
    marks: [] as KeptMark[],
    /** Responses that replace the usual ones, by the end of the path. */
    refuse: new Map<string, [status: number, body: object]>(),
    files,
    /** Requests in their order: method and path. */
    asked: [] as string[],
    /** Received entries by key, and how often each was received. */
    taken: new Map<string, { entry: OutboxEntry; times: number }>(),
  };

  const signedEnd = (learner: string) => {
    const said = JSON.stringify({ learner, device: 1, prepa: 7, end: state.end, signedAt: Date.now() });
    const signature = sign('sha256', Buffer.from(said), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    return { said, signature };
  };
  const tag = () => state.items.map(({ id, version }) => `${id}.${version}`).join('-');
  const texts = (held: [number, number][]): TextsAnswer => ({
    format: 1,
    prepa: { id: 7, nom: 'École des postes' },
    tag: tag(),
    disciplines: [{ id: 10, nom: 'Tri', description: '', image: null, items: state.items.map(({ id, version }) => ({ id, version })) }],
    items: state.items.filter((item) => !held.some(([id, version]) => id === item.id && version === item.version)),
  });
  const calls: Record<string, (body: never) => object | null> = {
    garder: () => ({
      device: 1,
      learner: state.learner,
      end: signedEnd(state.learner ?? ''),
      publicKey: publicKey.export({ format: 'jwk' }),
    }),
    retirer: () => null,
    textes: () => texts([]),
    differences: ({ tenus, changements }: { tenus: [number, number][]; changements?: boolean }) => {
      const answer = texts(tenus);
      const changes = answer.items.flatMap((item): ItemChange[] => {
        const before = state.earlier.find(
          ({ id, version }) => tenus.some((held) => held[0] === id && held[1] === version) && id === item.id,
        );
        return changements && before ? [{ ...item, contenu: changeOf(before.contenu, item.contenu), corrige: null }] : [];
      });
      return { ...answer, items: answer.items.filter(({ id }) => !changes.some((change) => change.id === id)), changes };
    },
    contact: ({ prepas }: { prepas: { id: number }[] }) => ({
      now: Date.now(),
      learner: state.learner,
      prepas: prepas.map(({ id }) => {
        const isKept = state.says === 'keep';
        return { id, state: state.says, reason: state.reason, end: isKept ? signedEnd('moi') : null, tag: isKept ? tag() : null };
      }),
    }),
    marques: (body: { entrees: OutboxEntry[] } | null) => {
      if (!body) return { learner: state.learner, marques: state.marks };
      for (const entry of body.entrees) state.taken.set(entry.cle, { entry, times: (state.taken.get(entry.cle)?.times ?? 0) + 1 });
      return { prises: body.entrees.map(({ cle }) => cle) };
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    state.asked.push(`${request.method} ${path}`);
    if (state.network === 'gone') return void request.socket.destroy();
    if (state.network === 'hanging') return;
    const json = (status: number, body: object | null) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    const refused = [...state.refuse].find(([end]) => path.endsWith(end))?.[1];
    if (refused) return json(...refused);
    const call = path.startsWith('/api/hors-ligne/') ? calls[path.slice(path.lastIndexOf('/') + 1)] : undefined;
    if (call) {
      const sent = Buffer.concat(await request.toArray()).toString();
      const said = sent ? JSON.parse(sent) : null;
      if (path.endsWith('/marques') && said && said.learner !== state.learner) return json(state.learner ? 409 : 401, { message: 'Non' });
      const body = call(said as never);
      return json(body ? 200 : 204, body);
    }
    const [type, body] = state.files[path] ?? ['text/html', `<!DOCTYPE html><html lang="fr"><title>${request.method} ${path}</title>`];
    response.writeHead(200, { 'content-type': type }).end(body);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
