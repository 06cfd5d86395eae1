import { randomUUID } from 'node:crypto';
import type { Kernel } from '../../../src/kernel.ts';
import { S3Client } from '../../../src/platform/files/s3-client.ts';
import { s3FileStore } from '../../../src/platform/files/s3-store.ts';
import { StoreFault } from '../../../src/platform/files/store-fault.ts';
import type { S3Settings } from '../../../src/platform/files/store-settings.ts';
import { type Check, good } from '../check.ts';

/** Checks that the S3-compatible store allows every operation the site needs, and nothing without a signature. */
export const remoteFiles: Check = {
  name: 'Magasin des fichiers',
  async look({ kernel: { config, log } }) {
    const { kept, s3 } = config.uploads;
    return kept === 's3' && s3 ? good(await tryOut(s3, log)) : null;
  },
};

/** Returns a description of the working store, in French. @throws Error with a French message */
async function tryOut(settings: S3Settings, log: Kernel['log']): Promise<string> {
  const client = new S3Client(settings, log);
  const store = s3FileStore(client, 'documents/');
  const name = `essai-${randomUUID()}.txt`;
  const bytes = Buffer.from(name);
  const place = `le compartiment ${settings.bucket} (${new URL(settings.endpoint).host})`;
  const step = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw new Error(explainFault(what, place, error), { cause: error });
    }
  };
  await step("d'écrire dans", () => store.write(name, bytes));
  try {
    if (!(await step('de lire dans', () => store.read(name)))?.equals(bytes))
      throw new Error(`${place} ne rend pas ce qui vient d'y être écrit`);
    let listed = 0;
    await step('de lister', async () => {
      for await (const found of store.list('', new Date(Date.now() + 86_400_000))) if (found === name) listed += 1;
    });
    if (listed !== 1) throw new Error(`${place} ne liste pas ce qui vient d'y être écrit`);
    if ((await step('de demander sans signature à', () => client.askUnsigned(`documents/${name}`))) < 400)
      throw new Error(`${place} est ouvert à tous : fermez-le aux accès publics, ou chacun lit ce que d'autres paient`);
    if ((await client.askUnsigned(undefined, { 'list-type': '2', 'max-keys': '1' })) < 400)
      throw new Error(`la liste de ${place} est ouverte à tous : fermez-le aux accès publics`);
    await signedAddressLeads(store, name);
  } finally {
    await step("d'effacer dans", () => store.remove([name]));
  }
  if (await store.has(name)) throw new Error(`${place} garde ce qui vient d'être effacé`);
  return `${place} : écriture, lecture, liste et effacement possibles, fermé aux accès publics`;
}

/** Requests a signed address as a browser would, as far as this machine can reach it. */
async function signedAddressLeads({ source }: ReturnType<typeof s3FileStore>, name: string): Promise<void> {
  const address = 'folder' in source ? null : await source.signedAddress(name, { type: 'text/plain', disposition: 'attachment' });
  if (address === null) return;
  const { host } = new URL(address);
  const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  await answer?.body?.cancel();
  if (answer?.status !== 200)
    throw new Error(
      `les adresses signées mènent à ${host}, qui ${answer ? `répond ${answer.status}` : 'ne répond pas'} : corrigez S3_PUBLIC_ENDPOINT, ou réglez S3_SIGNED_SECONDS=0`,
    );
}

function explainFault(what: string, place: string, error: unknown): string {
  const said = error instanceof StoreFault ? error.message : 'pas de réponse';
  const [, reason] = /: (.*)$/.exec(said) ?? [undefined, said];
  const hints: Record<string, string> = {
    SignatureDoesNotMatch: 'vérifiez S3_SECRET_ACCESS_KEY et S3_REGION',
    InvalidAccessKeyId: 'vérifiez S3_ACCESS_KEY_ID',
    NoSuchBucket: 'créez-le, ou vérifiez S3_BUCKET et S3_PATH_STYLE',
    AccessDenied: 'donnez à la clé le droit de lire, écrire, lister et effacer',
    RequestTimeTooSkewed: "mettez cette machine à l'heure",
    ENOTFOUND: 'vérifiez S3_ENDPOINT',
    ECONNREFUSED: 'vérifiez S3_ENDPOINT, et que le magasin tourne',
  };
  const hint = Object.entries(hints).find(([word]) => reason?.includes(word))?.[1] ?? 'vérifiez S3_ENDPOINT, S3_BUCKET et les clés';
  return `impossible ${what} ${place} (${reason}) : ${hint}`;
}
