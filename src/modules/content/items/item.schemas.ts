import { z } from 'zod';
import { uploadedFile } from '../../../platform/http/answers.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import { titreSchema } from '../../../shared/forms/content.ts';
import { byKind, type ItemKind, itemKinds, kindDetails } from '../../../shared/item-kinds.ts';
import { questionKinds } from '../../../shared/rich-text/question-kinds.ts';
import type { presentItemForEditor } from './item.presenter.ts';
import { itemTypeOf } from './item-types.ts';

/** Schemas of the administrators' calls on items (specification §7). The use cases check forms, with the same schemas as the screen. */

/** Largest body of a request with texts, in bytes: texts may contain images as data URLs. */
export const bodyLimit = 12 * 1024 * 1024;

const wholeTexts = [z.string(), z.looseObject({ type: z.literal('doc') }), z.null()] as const;
export const wholeText = z
  .union(wholeTexts)
  .optional()
  .meta({ description: "HTML, ou document de l'éditeur en JSON ; null ou '' pour un texte vide" });
const count = z.int().min(0);
/** A text of a save: whole, or its change since the stored text. */
export const savedText = z
  .union([
    ...wholeTexts,
    z.object({
      type: z.literal('difference'),
      version: z.int().optional().meta({ description: 'Version publiée dont part la modification' }),
      revision: z.int().optional().meta({ description: 'Révision du brouillon dont part la modification' }),
      de: count.meta({ description: 'Premier bloc remplacé, à partir de 0' }),
      a: count.meta({ description: 'Premier bloc gardé après ceux qui sont remplacés' }),
      blocs: z.array(z.looseObject({ type: z.string() })),
      empreinte: z
        .string()
        .meta({ description: 'SHA-256 du document modifié, en JSON ; un autre résultat est refusé (409, `texteEntier`)' }),
    }),
  ])
  .optional()
  .meta({
    description:
      "HTML, ou document de l'éditeur en JSON ; null ou '' pour un texte vide ; ou ses blocs modifiés. La réponse omet alors un texte gardé tel quel",
  });
const intitule = z
  .string()
  .nullish()
  .meta({ description: "Intitulé complet (3 à 200 caractères), montré aux candidats à la place du titre ; null ou '' : aucun" });
const annee = z.int().meta({ description: "De 1900 à l'année en cours" });
const minutes = z.int().min(1).max(600).nullable().meta({ description: 'Durée conseillée, en minutes ; null : non précisée' });
const duree = minutes.optional();
const rule = z.object({ juste: z.number(), faux: z.number(), sans: z.number() });
const bareme = z
  .union([rule, z.string(), z.null()])
  .optional()
  .meta({ description: "Points d'une réponse juste, fausse, et sans réponse, en objet ou en texte ('1 ; -0,25 ; 0')" });
const version = z.int().nullish().meta({ description: 'Version dont part la modification ; dépassée, elle est refusée (409)' });
const numeroPage = z.int().optional().meta({ description: 'Ignoré : un contenu nouveau vient à la fin' });

/** Returns the fields of a kind's form besides its title. */
function formOf(kind: ItemKind, text: typeof wholeText | typeof savedText) {
  const { hasAnnee, hasDuree, hasBareme, hasCorrection, text: name, textAlias } = kindDetails[kind];
  return {
    ...(hasAnnee && { annee }),
    ...(hasDuree && { duree }),
    ...(hasBareme && { bareme }),
    [name]: text,
    ...(textAlias && { [textAlias]: text }),
    ...(hasCorrection && { corrige: text }),
  };
}

const brouillon = z.boolean().optional().meta({ description: 'true : garder sans publier ; le titre peut alors manquer' });

const source = z.string().max(255).nullish().meta({ description: 'Nom du fichier importé, gardé avec le brouillon' });

/** Returns the body schema of the call that creates an item, or its draft. */
export const itemCreation = (kind: ItemKind) =>
  z.object({
    titre: titreSchema,
    intitule,
    ...formOf(kind, wholeText),
    discipline_id: idSchema,
    numero_page: numeroPage,
    brouillon,
    source,
  });

/** Returns the body schema of the call that changes an item. An omitted text stays unchanged. */
export const itemUpdate = (kind: ItemKind) =>
  z.object({
    titre: titreSchema,
    intitule,
    ...formOf(kind, savedText),
    version,
    brouillon: z.int().nullish().meta({ description: 'Révision du brouillon que ce texte contient : il est supprimé' }),
  });

export const documentAnswer = z
  .object({ id: z.int(), nom: z.string(), octets: z.int().meta({ description: 'Taille en octets' }), url: z.string() })
  .meta({ id: 'Document' });

const remarques = z.array(z.string()).meta({ description: "Ce qui n'a pas pu être gardé, en français" });

const edition = { version: z.int(), updated_at: z.iso.datetime(), documents: z.array(documentAnswer) };
const common = { id: z.int(), titre: z.string(), intitule: z.string().nullable(), numero_page: z.int(), discipline_id: z.int() };
const html = z.string().meta({ description: 'HTML' });

type PresentedItem = ReturnType<typeof presentItemForEditor>;

function shapeOf(kind: ItemKind, html: z.ZodType, correction: z.ZodType) {
  const { hasAnnee, hasDuree, hasBareme, hasCorrection, text } = kindDetails[kind];
  return {
    ...common,
    ...(hasAnnee && { annee: z.int() }),
    ...(hasDuree && { duree: minutes }),
    ...(hasBareme && { bareme: rule }),
    ...(text === 'enonce' ? { enonce: html } : { contenu: html }),
    ...(hasCorrection && { corrige: correction }),
    ...edition,
  };
}

/** An item as administrators read it. */
const whole = byKind((kind) => z.object(shapeOf(kind, html, html.nullable())).meta({ id: itemTypeOf(kind).schema }));

export const itemAnswer = (kind: ItemKind) => whole[kind] as z.ZodType<PresentedItem>;
/** Returns the response schema of a save: the item, and remarks on the parts that could not be kept. */
export const writtenAnswer = (kind: ItemKind) => whole[kind].extend({ remarques }) as z.ZodType<PresentedItem & { remarques: string[] }>;

/** Returns the response schema of a change: texts that the request gave as differences are omitted where they are stored unchanged. */
export const savedAnswer = (kind: ItemKind) =>
  z.object({ ...shapeOf(kind, html.optional(), html.nullish()), remarques }) as unknown as ReturnType<typeof writtenAnswer>;

export const positionBody = z.object({ numero_page: z.int().min(1).max(100_000) });

const savedVersion = {
  version: z.int(),
  titre: z.string(),
  intitule: z.string().nullable(),
  saved_at: z.iso.datetime(),
  saved_by: z.string().nullable().meta({ description: 'Null : chargée au terminal' }),
  current: z.boolean(),
};
export const versionsAnswer = z.array(
  z.object({ ...savedVersion, longueur: z.int().meta({ description: 'Caractères de ses textes, sans leurs balises' }) }),
);
export const versionAnswer = z.object({
  ...savedVersion,
  annee: z.int().optional(),
  duree,
  bareme: rule.optional(),
  contenu: html.optional(),
  enonce: html.optional(),
  corrige: html.nullish(),
});
export const versionParams = z.object({ id: idSchema, version: idSchema });
export const restoreBody = z
  .object({ version })
  .nullish()
  .transform((body) => body?.version ?? null);

export const imageBody = z.object({ image: uploadedFile });
export const imageAnswer = z.object({ src: z.string(), width: z.int(), height: z.int() });

const file = z.any().meta({ type: 'string', format: 'binary', description: '10 Mo maximum' });
export const documentBody = z.object({ fichier: file, nom: z.string().max(150).optional() });

const editorDocument = z.looseObject({ type: z.string() }).meta({ description: "Document de l'éditeur" });
const ouiNon = z.enum(['oui', 'non']).default('oui');
/** The part of an item into which a file is imported. */
export const importPlace = z.object({
  type: z.enum(itemKinds).optional().meta({ description: "Le contenu auquel le fichier est destiné : une leçon n'a pas de corrigé" }),
  titre: ouiNon.meta({ description: "'non' : le titre du document reste dans le texte" }),
  corrige: ouiNon.meta({ description: "'non' : ce qui suit « Corrigé » reste dans le texte" }),
  questions: ouiNon.meta({ description: "'non' : les questions restent du texte, comme dans un corrigé" }),
  format: z
    .enum(['markdown'])
    .optional()
    .meta({ description: "'markdown' : un texte est lu comme du Markdown, même s'il ressemble à un fichier de questions" }),
});
export const importBody = importPlace.extend({ fichier: file });
const ranks = z.array(z.int());
export const importAnswer = z.object({
  titre: z.string().nullable(),
  intitule: z.string().nullable().meta({ description: 'Le titre du document tel quel, si les règles du titre le refusent' }),
  document: editorDocument,
  corrige: editorDocument.nullable(),
  questions: z
    .array(
      z.object({
        place: z.int().meta({ description: 'Rang parmi les blocs du document, à partir de 0' }),
        enonce: z.string().meta({ description: "Début de l'énoncé" }),
        type: z.enum(questionKinds),
        repondue: z.boolean().meta({ description: 'Une bonne réponse est donnée' }),
        defaut: z.string().nullable().meta({ description: 'Pourquoi elle ne peut pas être posée' }),
      }),
    )
    .meta({ description: 'Les questions du document' }),
  exercices: z
    .array(
      z.object({
        titre: z.string(),
        intitule: z.string().nullable(),
        enonce: ranks.meta({ description: 'Rangs de ses blocs, parmi ceux du document, puis du corrigé' }),
        corrige: ranks,
        mots: z.object({ enonce: z.int(), corrige: z.int() }),
      }),
    )
    .meta({ description: "Les exercices d'un fichier qui en a plusieurs, si `type` est exercise" }),
  bareme: z
    .object({ juste: z.number(), faux: z.number(), sans: z.number() })
    .nullable()
    .meta({ description: 'Les points que le fichier donne' }),
  remarques,
});

export const formulaBody = z.object({
  latex: z.string().max(2_000, 'La formule dépasse 2 000 caractères'),
  display: z.boolean().default(false).meta({ description: 'Sur une ligne à part' }),
});
export const formulaAnswer = z.object({ mathml: z.string() });
