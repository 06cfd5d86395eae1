import { digestOf, type Manifest } from '../../src/platform/backup/manifest.ts';
import { connect } from '../../src/platform/backup/snapshot.ts';
import { CliError } from '../failure.ts';

/** Reads public pages (landing page, catalogue, one prepa) and one picture. Returns their addresses. */
export async function readPages(origin: string, databaseUrl: string, { parts }: Manifest): Promise<string[]> {
  const prepa = await aPrepa(databaseUrl);
  const picture = parts.find(({ name }) => name.startsWith('media/'));
  const addresses = ['/', '/user/preparations', ...(prepa ? [`/user/prepa/consultation/${prepa.id}`] : [])];
  for (const address of addresses) {
    const body = (await read(origin, address)).toString();
    if (prepa && address.includes('consultation') && !plain(body).includes(plain(prepa.nom)))
      throw new CliError(`La page ${address} de la restauration ne montre pas « ${prepa.nom} ».`);
  }
  if (picture) {
    addresses.push(`/${picture.name}`);
    if (digestOf(await read(origin, `/${picture.name}`)) !== picture.sha256)
      throw new CliError(`L'image ${picture.name} de la restauration n'est pas celle de la sauvegarde.`);
  }
  return addresses;
}

async function read(origin: string, address: string): Promise<Buffer> {
  const response = await fetch(`${origin}${address}`, { headers: { accept: 'text/html,*/*' } });
  if (response.status !== 200) throw new CliError(`La page ${address} de la restauration répond ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

async function aPrepa(databaseUrl: string): Promise<{ id: number; nom: string } | undefined> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query<{ id: number; nom: string }>('select id, nom from prepa where is_published order by id limit 1');
    return rows[0];
  } finally {
    await client.end();
  }
}

/** Returns only letters and digits: pages escape some characters and join others. */
const plain = (text: string): string => text.replaceAll(/<[^>]*>/g, '').replaceAll(/&[#\w]+;|[^\p{L}\p{N}]/gu, '');
