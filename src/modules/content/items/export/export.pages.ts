import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../../platform/errors.ts';
import { attachment } from '../../../../platform/files/attachment.ts';
import type { FileStore } from '../../../../platform/files/storage.ts';
import { idParams, idSchema, withZod } from '../../../../platform/http/validators.ts';
import { withKeys } from '../../../../shared/questions/question-keys.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { writeQuestionFile } from '../../texts/client/text-worker.ts';
import { type PictureFile, storedPicture } from '../../texts/question-files/written-html.ts';
import { imageNameOf } from '../images/image.service.ts';
import { findDisciplineHead } from '../item.repository.ts';
import { itemsWithQuestions } from './export.repository.ts';
import { type PaperPart, presentPaper } from './paper.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'content/paper': {
      discipline: { id: number; nom: string };
      prepa: { nom: string };
      /** Title of the item; null for the discipline. */
      item: string | null;
      parts: PaperPart[];
      /** Addresses of the files. */
      xml: string;
      gift: string;
    };
  }
}

/** Largest sum of the pictures in a Moodle XML file, in bytes: so much may be imported again. Further ones keep their address. */
const maxPictureBytes = 6_000_000;

const formats = {
  xml: 'application/xml; charset=utf-8',
  gift: 'text/plain; charset=utf-8',
} as const;

/** Serves the questions of a discipline, or of one item (`?item=`), as a printed paper and as files for other programs. They hold the keys. */
export async function questionExportPages(instance: FastifyInstance, { store }: { store: FileStore }): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const schema = { params: idParams, querystring: z.object({ item: idSchema.optional() }) };

  app.get(
    '/admin/discipline/:id/epreuve',
    { ...guarded, config: { ...guarded.config, authored: true }, schema },
    async (request, reply) => {
      const { id } = request.params;
      const { item = null } = request.query;
      const { nom, prepaNom, items } = await readQuestions(request.em, id, item);
      const query = item === null ? '' : `?item=${item}`;
      return reply.page('content/paper', {
        title: `Questions : ${nom}`,
        area: 'admin',
        noindex: true,
        discipline: { id, nom },
        prepa: { nom: prepaNom },
        item: item === null ? null : (items[0]?.titre ?? null),
        parts: presentPaper(items),
        xml: `/admin/discipline/${id}/questions.xml${query}`,
        gift: `/admin/discipline/${id}/questions.gift${query}`,
      });
    },
  );

  for (const format of ['xml', 'gift'] as const) {
    app.get(
      `/admin/discipline/:id/questions.${format}`,
      { ...guarded, config: { ...guarded.config, download: true }, schema },
      async (request, reply) => {
        const { id } = request.params;
        const { item = null } = request.query;
        const { nom, items } = await readQuestions(request.em, id, item);
        const texts = items.map(({ contenu, keys }) => withKeys(contenu, keys));
        const pictures = format === 'xml' ? await picturesOf(texts, store) : new Map<string, PictureFile>();
        const file = await writeQuestionFile({ format, texts, pictures, origin: `${request.protocol}://${request.host}` });
        const name = item === null ? nom : (items[0]?.titre ?? nom);
        return reply
          .type(formats[format])
          .header('cache-control', 'no-store')
          .header('content-disposition', attachment(`${name}.${format}`))
          .send(file);
      },
    );
  }
}

/** Returns the items with questions. @throws AppError 404 without such a discipline */
async function readQuestions(em: EntityManager, disciplineId: number, itemId: number | null) {
  const [discipline, items] = await Promise.all([findDisciplineHead(em, disciplineId), itemsWithQuestions(em, [disciplineId, itemId])]);
  if (!discipline) throw notFound("Cette discipline n'existe pas ou n'existe plus.");
  return { ...discipline, items };
}

/** Returns the stored pictures that the texts show, by address. */
async function picturesOf(texts: readonly string[], store: FileStore): Promise<Map<string, PictureFile>> {
  const addresses = new Set(texts.flatMap((text) => [...text.matchAll(storedPicture)].map(([address]) => address)));
  const pictures = new Map<string, PictureFile>();
  let sum = 0;
  for (const address of addresses) {
    const bytes = await store.read(imageNameOf(address) ?? '');
    if (!bytes || sum + bytes.length > maxPictureBytes) continue;
    sum += bytes.length;
    pictures.set(address, { name: address.slice(address.lastIndexOf('/') + 1), base64: bytes.toString('base64') });
  }
  return pictures;
}
