import type { FastifyPluginAsync } from 'fastify';
import { AppError, invalidRequest } from '../../../../platform/errors.ts';
import { acceptContentUpload, ImageError } from '../../../../platform/files/images.ts';
import { documentKind, readForm, readUpload, registerUploads } from '../../../../platform/files/uploads.ts';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { multipart } from '../../../../platform/http/described-body.ts';
import { withZod } from '../../../../platform/http/validators.ts';
import { kindDetails } from '../../../../shared/item-kinds.ts';
import { isTexName } from '../../../../shared/tex-bundle.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { drawFormula, importFile } from '../../texts/client/text-worker.ts';
import type { OwnPlaces } from '../../texts/imported-text.ts';
import { titleOfFile } from '../../texts/title.ts';
import { noFile } from '../documents/document.service.ts';
import { keepContentImage, removeUnusedImages } from '../images/image.service.ts';
import { formulaAnswer, formulaBody, imageAnswer, imageBody, importAnswer, importBody, importPlace } from '../item.schemas.ts';

const tags = ['Rédaction'];

/** Calls of the editor while a text is written: image uploads and document imports. */
export const authoringRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  await registerUploads(app);
  const guarded = administratorsBeforeBody(app);

  app.post(
    '/images',
    {
      ...guarded,
      ...multipart(imageBody, {
        tags,
        summary:
          "Garde une image pour un texte : JPG, PNG, GIF ou WebP, de 2 Mo au plus. Ce qu'aucun texte ne montre disparaît après 7 jours",
        response: { 201: imageAnswer, ...errorAnswers(400, 401, 413, 415) },
      }),
    },
    async (request, reply) => {
      const { image } = await readUpload(request);
      if (!image) throw refusedImage("L'image est obligatoire");
      try {
        const stored = await keepContentImage(request.em, request.context, await acceptContentUpload(image));
        // Free the space that uploads use: images that no item has shown for a week are removed.
        await removeUnusedImages(request.em, request.context).catch((err: unknown) => request.log.error({ err }, 'unused images stay'));
        return reply.code(201).send(stored);
      } catch (error) {
        if (error instanceof ImageError) throw refusedImage(error.message);
        throw error;
      }
    },
  );

  app.post(
    '/imports',
    {
      ...guarded,
      ...multipart(importBody, {
        tags,
        summary:
          "Lit un fichier Word (.docx), LibreOffice (.odt), HTML, Markdown, TeX (.tex, ou une archive .zip avec ses images), ou de questions (Moodle XML, GIFT, AMC-TXT, Aiken) de 10 Mo au plus. Rien n'est créé ; ses images sont gardées comme celles des textes",
        response: { 200: importAnswer, ...errorAnswers(400, 401, 413, 415, 503) },
      }),
    },
    async (request) => {
      const { fields, file } = await readForm(request, documentKind);
      if (!file) throw noFile();
      const store = async (bytes: Buffer) => keepContentImage(request.em, request.context, await acceptContentUpload(bytes));
      const { places, isMarkdown } = placesFor(fields);
      const isTex = isTexName(file.name);
      const read = await importFile({ bytes: file.bytes, places, isMarkdown, isTex }, store);
      const titre = read.titre ?? (places.hasTitle ? titleOfFile(file.name) : null);
      const { intitule, contenu, corrige, questions, exercises, marking, remarques } = read;
      return {
        titre,
        intitule,
        document: contenu,
        corrige,
        questions: questions.map(({ place, statement, kind, isAnswered, fault }) => ({
          place,
          enonce: statement,
          type: kind,
          repondue: isAnswered,
          defaut: fault,
        })),
        exercices: exercises.map(({ titre, intitule, statement, correction, words }) => ({
          titre,
          intitule,
          enonce: statement,
          corrige: correction,
          mots: { enonce: words.statement, corrige: words.correction },
        })),
        bareme: marking && { juste: marking.right, faux: marking.wrong, sans: marking.unanswered },
        remarques,
      };
    },
  );

  app.post(
    '/formules',
    {
      ...guarded,
      schema: { tags, summary: 'Dessine une formule', body: formulaBody, response: { 200: formulaAnswer, ...errorAnswers(400, 401, 503) } },
    },
    async (request) => {
      const drawn = await drawFormula(request.body);
      if ('fault' in drawn) throw invalidRequest([{ field: 'latex', message: drawn.fault }], drawn.fault);
      return drawn;
    },
  );
};

/**
 * Returns which parts the import may fill, and whether the file is read as Markdown. The item kind decides whether a correction exists, even if the caller asks for one.
 * @throws AppError 400
 */
function placesFor(fields: Record<string, string>): { places: OwnPlaces; isMarkdown: boolean } {
  const { data, error } = importPlace.safeParse(fields);
  if (!data) throw invalidRequest(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })));
  const { type, titre, corrige, questions, format } = data;
  const kindHasCorrection = type === undefined || kindDetails[type].hasCorrection === true;
  const hasCorrection = kindHasCorrection && corrige === 'oui';
  const hasExercises = type === 'exercise' && hasCorrection;
  return {
    places: { hasTitle: titre === 'oui', hasCorrection, hasQuestions: questions === 'oui', hasExercises },
    isMarkdown: format === 'markdown',
  };
}

const refusedImage = (imageError: string): AppError => new AppError('IMAGE.REFUSED', 400, imageError, { imageError });
