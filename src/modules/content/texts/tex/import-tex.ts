import { parseHTML } from 'linkedom';
import { splitCorrection } from '../correction.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { asDocument, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { readDefinitions } from '../macros/read-definitions.ts';
import { whatIsLost } from '../markdown/completeness.ts';
import { refused, tooComplex } from '../refusal.ts';
import type { Remarks } from '../remarks.ts';
import { adaptedTitles, allowedTitle } from '../title.ts';
import type { TexContext } from './context.ts';
import { readEnvironments } from './definitions.ts';
import { ExpandedText } from './expand.ts';
import { Formulas } from './formulas.ts';
import { HiddenParts } from './hidden.ts';
import { joinInputs } from './inputs.ts';
import { withOwnLabels } from './list-label.ts';
import { newReader } from './new-reader.ts';
import { Numbers } from './numbers.ts';
import { parseTex } from './parse.ts';
import { storePictures } from './pictures.ts';
import { readPreamble, splitPreamble } from './preamble.ts';
import { appendNotes, writeReferences } from './references.ts';
import { TexReport } from './report.ts';
import { placeSolutions } from './solutions.ts';
import { TexFiles } from './tex-files.ts';

/** Longest text in characters. */
const maxCharacters = 1_000_000;

/**
 * Converts a TeX file into texts of the schema. Parts that cannot be kept are added to `remarks`, with their line.
 * @param files the files beside it: pictures, and texts that it reads
 * @throws AppError 400 when the text is too long or too deeply nested
 */
export async function importTex(
  main: string,
  store: StoreImage,
  remarks: Remarks,
  places: OwnPlaces,
  files = new TexFiles(),
): Promise<ImportedText> {
  if (main.length > maxCharacters) throw refused('Ce texte est trop long (1 million de caractères au maximum).');
  const { root, context } = read(main, files);
  const intake = new ImageIntake(store, remarks);
  for (const part of [root, ...context.notes.map(({ content }) => content)]) await storePictures(part, context, intake);
  context.report.into(remarks);
  if (context.hidden.comments > 0) remarks.countOf('commentaire', ' (%), sans place ici.', context.hidden.comments);
  const title = takeTitle(root, places);
  const solutions = placeSolutions(root, places, remarks);
  const split = places.hasCorrection && !solutions ? splitCorrection(root, remarks) : null;
  const correction = solutions ?? split;
  appendNotes(context.notes, correction ? [root, correction] : [root]);
  const titles = adaptedTitles(title, remarks);
  return { ...titles, contenu: wholeDocument(root, remarks), corrige: correction && wholeDocument(correction, remarks) };
}

function read(main: string, files: TexFiles): { root: Element; context: TexContext } {
  try {
    const hidden = new HiddenParts();
    const joined = joinInputs(main, files, hidden);
    const report = new TexReport(joined.lines);
    for (const { name, line } of joined.missing)
      report.say(line, `Fichier à ajouter, il n'est pas à côté de celui-ci : ${name.slice(0, 120)}`);
    const own = readEnvironments(joined.text);
    const { macros, text, faults } = readDefinitions(withOwnLabels(own.text));
    const { preamble, body, firstLine, after } = splitPreamble(text);
    for (const { line, message } of faults) if (line >= firstLine) report.say(line, hidden.revealed(message));
    if (after) report.say(after.line, `Texte après \\end{document}, laissé de côté : ${after.text}`);
    const source = new ExpandedText(body, firstLine, macros, own.environments);
    const document: Document = parseHTML('<!doctype html><html><body></body></html>').document;
    const context: TexContext = {
      document,
      source,
      hidden,
      macros,
      theorems: own.theorems,
      numbers: new Numbers(macros, /\\chapter(?![A-Za-z])/.test(source.text)),
      isUnnumbered: /\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:beamer|letter|exam)\}/.test(preamble),
      formulas: new Formulas(),
      report,
      files,
      notes: [],
      noteReference: null,
      blocks: 0,
      pictures: new Map(),
      references: new Map(),
      title: null,
      exercise: '',
    };
    const root = document.body;
    const head = readPreamble(preamble, context);
    const nodes = parseTex(source.text, (at, message) => report.say(source.lineAt(at), message));
    const reader = newReader(context, root);
    reader.walk(nodes);
    reader.endParagraph();
    addTitle(root, head ?? reader.title());
    writeReferences(context);
    for (const part of [root, ...context.notes.map(({ content }) => content)])
      context.formulas.finish(part, macros, context.numbers, hidden, report);
    return { root, context };
  } catch (error) {
    // Readers recurse once per level: a text that exhausts the stack is too complicated.
    throw error instanceof RangeError ? tooComplex() : error;
  }
}

const TITLE = 'data-title';

function addTitle(root: Element, title: Element | null): void {
  if (!title || title.childNodes.length === 0) return;
  title.setAttribute(TITLE, '');
  root.prepend(title);
}

/** Takes the title out of the text, if it has a place of its own and can be one; otherwise it stays as a heading. */
function takeTitle(root: Element, { hasTitle }: OwnPlaces): string | null {
  const heading = root.querySelector(`:scope > [${TITLE}]`);
  heading?.removeAttribute(TITLE);
  if (!heading || !hasTitle) return null;
  const text = (heading.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  if (!heading.querySelector('img, [data-latex]') && allowedTitle(text) !== null) heading.remove();
  return text;
}

function wholeDocument(root: Element, remarks: Remarks) {
  const document = asDocument(root);
  if (whatIsLost(root, document)) remarks.say("Un élément n'était pas à sa place : comparez le résultat avec votre fichier.");
  return document;
}
