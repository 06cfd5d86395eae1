import { basename, extname, join, resolve } from 'node:path';
import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import { itemTypes } from '../items/item-types.ts';
import { withQuestions } from './body-questions.ts';
import { type Fault, FaultList } from './fault.ts';
import { fieldsOf, readDescription } from './fields.ts';
import { type FolderEntry, FolderFiles, shown } from './folder-files.ts';
import { readFrontMatter } from './front-matter.ts';
import { readImportedItem } from './imported-item.ts';
import type { DisciplinePlan, ItemPlan, PrepaPlan, SeedPlan } from './plan.ts';
import { type Body, readBody } from './strict-body.ts';

const SECTIONS = itemTypes.map(({ kind, folder }) => {
  const { hasAnnee, hasDuree, hasBareme } = kindDetails[kind];
  return {
    kind,
    folder,
    keys: ['titre', 'intitule', ...(hasAnnee ? ['annee'] : []), ...(hasDuree ? ['duree'] : []), ...(hasBareme ? ['bareme'] : [])],
  };
});
const COVER_TYPES = ['png', 'jpg', 'jpeg'];
const IMAGE_TYPES = [...COVER_TYPES, 'gif', 'webp'];
const FOLDER_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ITEM_NAME = /^(\d{2,3})-([a-z0-9]+(?:-[a-z0-9]+)*)\.(md|html|docx|odt|xml|gift|txt)$/;
const ITEM_TYPE = /\.(?:md|html|docx|odt|xml|gift|txt)$/;
const CORRECTION = /^\s*<!--\s*corrigé\s*-->\s*$/;

/** Word documents and question files have no front matter, and are read by the importer. */
type Format = 'md' | 'html' | 'docx' | 'odt' | 'xml' | 'gift' | 'txt';

/**
 * Reads and checks a content folder as described in docs/content-format.md.
 * Invalid input never throws: the result is either the entire plan, with warnings about losses in Word files, or every fault of every
 * file.
 * @param currentYear latest year that a past exam may have
 */
export async function readContentFolder(
  path: string,
  currentYear: number,
): Promise<{ plan: SeedPlan; warnings: Fault[] } | { faults: Fault[] }> {
  const [faults, warnings] = [new FaultList(), new FaultList()];
  const files = await FolderFiles.open(path, faults);
  const prepas = files ? await new Reader(files, faults, warnings, currentYear).prepas(path) : [];
  const sorted = faults.sorted();
  return sorted.length > 0 ? { faults: sorted } : { plan: { prepas }, warnings: warnings.sorted() };
}

class Reader {
  readonly #files: FolderFiles;
  readonly #faults: FaultList;
  readonly #warnings: FaultList;
  readonly #currentYear: number;

  constructor(files: FolderFiles, faults: FaultList, warnings: FaultList, currentYear: number) {
    this.#files = files;
    this.#faults = faults;
    this.#warnings = warnings;
    this.#currentYear = currentYear;
  }

  async prepas(root: string): Promise<PrepaPlan[]> {
    const folders = this.#folders(await this.#files.list(root), []);
    if (folders.length === 0) this.#report(root)(1, 'Le dossier ne contient aucune préparation');
    return present(await Promise.all(folders.map((folder) => this.#prepa(folder))));
  }

  async #prepa({ name: key, path }: FolderEntry): Promise<PrepaPlan | null> {
    const entries = await this.#files.list(path);
    const file = join(path, 'prepa.md');
    const head = await this.#head(entries, file, ['nom', 'prix', 'publie', 'image']);
    const disciplines = present(
      await Promise.all(this.#folders(entries, ['prepa.md', head?.imageName]).map((folder) => this.#discipline(folder))),
    );
    if (!head) return null;
    const report = this.#report(file);
    const fields = fieldsOf(head.matter, report);
    const [nom, prix, isPublished] = [fields.nom('Le nom est requis'), fields.prix(), fields.publie()];
    const description = readDescription(head.matter, 'La description est requise', null, report);
    const image = await this.#cover(head, entries, report);
    if (nom === undefined || prix === undefined || isPublished === undefined) return null;
    return { key, nom, prix, description, isPublished, ...image, disciplines };
  }

  async #discipline({ name: key, path }: FolderEntry): Promise<DisciplinePlan | null> {
    const entries = await this.#files.list(path);
    const file = join(path, 'discipline.md');
    const head = await this.#head(entries, file, ['nom', 'image', 'diagnostic']);
    const folders = this.#folders(entries, ['discipline.md', head?.imageName]);
    for (const { name, path: stranger } of folders) {
      if (!SECTIONS.some(({ folder }) => folder === name)) {
        this.#report(stranger)(1, `Dossier inconnu : une discipline contient ${SECTIONS.map(({ folder }) => folder).join(', ')}`);
      }
    }
    const items = await Promise.all(
      SECTIONS.map(async (section) => {
        const folder = folders.find(({ name }) => name === section.folder);
        return folder ? this.#items(folder, section) : [];
      }),
    );
    if (!head) return null;
    const report = this.#report(file);
    const fields = fieldsOf(head.matter, report);
    const nom = fields.nom('Le nom de la discipline est requis', 100);
    const hasDiagnostic = fields.diagnostic();
    const description = readDescription(head.matter, 'La description de la discipline est requise', 500, report);
    const image = await this.#cover(head, entries, report);
    return nom === undefined ? null : { key, nom, description, ...image, hasDiagnostic, items: items.flat() };
  }

  async #items({ path }: FolderEntry, section: (typeof SECTIONS)[number]): Promise<ItemPlan[]> {
    const entries = await this.#files.list(path);
    const numbers = new Map<number, string>();
    const keys = new Map<string, string>();
    const texts: { entry: FolderEntry; number: number; key: string; format: Format }[] = [];
    for (const entry of entries.filter(({ kind, name }) => kind === 'file' && ITEM_TYPE.test(name))) {
      const report = this.#report(entry.path);
      const [, digits, key, format] = ITEM_NAME.exec(entry.name) ?? [];
      if (!digits || !key) {
        report(1, 'Le nom doit être NN-nom.md, .html, .docx, .odt, .xml, .gift ou .txt, avec a-z, 0-9 et -');
        continue;
      }
      const number = Number(digits);
      if (numbers.has(number)) report(1, `Le numéro ${digits} est déjà celui de ${numbers.get(number)}`);
      if (keys.has(key)) report(1, `La clé ${key} est déjà celle de ${keys.get(key)}`);
      numbers.set(number, entry.name);
      keys.set(key, entry.name);
      texts.push({ entry, number, key, format: format as Format });
    }
    const used = new Set<string>();
    const items: ItemPlan[] = [];
    for (const { entry, key, format } of texts.toSorted((a, b) => a.number - b.number)) {
      const item =
        format === 'md' || format === 'html'
          ? await this.#item(entry, key, format, section, entries, used)
          : await this.#importedItem(entry.path, key, format, section.kind);
      if (item) items.push({ ...item, numeroPage: items.length + 1 });
    }
    this.#strangers(entries, new Set([...used, ...entries.filter(({ name }) => ITEM_TYPE.test(name)).map(({ name }) => name)]));
    return items;
  }

  async #item(
    { path }: FolderEntry,
    key: string,
    format: 'md' | 'html',
    { kind, keys }: (typeof SECTIONS)[number],
    entries: readonly FolderEntry[],
    used: Set<string>,
  ): Promise<Omit<ItemPlan, 'numeroPage'> | null> {
    const report = this.#report(path);
    const text = await this.#files.readText(path);
    const matter = text === null ? null : readFrontMatter(text, keys, report);
    if (!matter) {
      // It is unknown which images the file uses, so none of them is reported as unused.
      for (const { name } of entries) used.add(name);
      return null;
    }
    const fields = fieldsOf(matter, report);
    const titre = fields.titre();
    const intitule = fields.intitule();
    const { hasAnnee, hasDuree, hasBareme, hasCorrection } = kindDetails[kind];
    const annee = hasAnnee ? fields.annee(this.#currentYear) : undefined;
    const duree = hasDuree ? fields.duree() : null;
    const bareme = hasBareme ? fields.bareme() : null;
    const lines = matter.body.split('\n');
    const marks = lines.flatMap((line, index) => (CORRECTION.test(line.normalize('NFC')) ? [index] : []));
    const [mark] = marks;
    if (mark !== undefined && !hasCorrection)
      report(matter.bodyLine + mark, `Une ${kindDetails[kind].name.toLowerCase()} n'a pas de corrigé`);
    for (const second of marks.slice(1)) report(matter.bodyLine + second, 'Le corrigé a déjà commencé plus haut');
    const file = { source: matter.body, firstLine: matter.bodyLine };
    const contenu = readBody(lines.slice(0, mark).join('\n'), format, matter.bodyLine, report, file);
    const corrige =
      mark === undefined ? undefined : readBody(lines.slice(mark + 1).join('\n'), format, matter.bodyLine + mark + 1, report, file);
    // A text with a fault may use any of the mentioned images, so they are not reported as unused.
    if (!contenu || corrige === null) for (const name of mentioned(matter.body, entries)) used.add(name);
    const images = await this.#images([contenu, corrige], entries, path, used);
    const isHeaded =
      titre !== undefined && intitule !== undefined && duree !== undefined && bareme !== undefined && !(hasAnnee && annee === undefined);
    if (!isHeaded || !contenu || corrige === null) return null;
    const texts = withQuestions(contenu, corrige, matter.bodyLine, report, this.#warnings.in(shown(path)));
    if (!texts) return null;
    return {
      kind,
      key,
      titre,
      intitule,
      ...(annee !== undefined && { annee }),
      ...(duree !== null && { duree }),
      ...(bareme !== null && { bareme }),
      ...texts,
      images,
      embedded: new Map(),
      file: shown(path),
    };
  }

  async #importedItem(
    path: string,
    key: string,
    format: Exclude<Format, 'md' | 'html'>,
    kind: ItemKind,
  ): Promise<Omit<ItemPlan, 'numeroPage'> | null> {
    const bytes = await this.#files.readDocument(path);
    const warn = this.#warnings.in(shown(path));
    const item = bytes && (await readImportedItem(bytes, { key, kind, format, currentYear: this.#currentYear }, this.#report(path), warn));
    return item && { kind, key, ...item, images: [], file: shown(path) };
  }

  async #images(
    bodies: readonly (Body | null | undefined)[],
    entries: readonly FolderEntry[],
    file: string,
    used: Set<string>,
  ): Promise<string[]> {
    const lines = new Map<string, number>();
    for (const body of bodies) for (const [name, line] of body?.images ?? []) if (!lines.has(name)) lines.set(name, line);
    for (const [name, line] of lines) {
      used.add(name);
      const entry = entries.find((found) => found.name === name && found.kind === 'file');
      const fault = entry ? await this.#files.imageFault(entry.path, IMAGE_TYPES) : `Image absente : ${name} n'est pas à côté du texte`;
      if (fault) this.#report(file)(line, fault);
    }
    return [...lines.keys()].map((name) => resolve(join(file, '..', name)));
  }

  /** The front matter of `prepa.md` or `discipline.md`. */
  async #head(entries: readonly FolderEntry[], file: string, keys: readonly string[]) {
    const report = this.#report(file);
    if (!entries.some(({ path, kind }) => path === file && kind === 'file')) {
      report(1, `Fichier manquant : ${basename(file)}`);
      return null;
    }
    const text = await this.#files.readText(file);
    const matter = text === null ? null : readFrontMatter(text, keys, report);
    return matter && { matter, imageName: matter.values.get('image')?.value };
  }

  async #cover(
    head: { matter: { values: ReadonlyMap<string, { value: string; line: number }> } },
    entries: readonly FolderEntry[],
    report: (line: number, message: string) => void,
  ) {
    const field = head.matter.values.get('image');
    if (!field) return {};
    const entry = entries.find(({ name, kind }) => name === field.value && kind === 'file');
    const fault = entry
      ? await this.#files.imageFault(entry.path, COVER_TYPES, { cover: true })
      : `Image absente : ${field.value || '(sans nom)'}`;
    if (fault) report(field.line, fault);
    return entry ? { image: resolve(entry.path) } : {};
  }

  /** Returns the folders among `entries`. Reports files not in `known`, and folder names that are not valid keys. */
  #folders(entries: readonly FolderEntry[], known: readonly (string | undefined)[]): FolderEntry[] {
    const files = entries.filter(({ kind }) => kind === 'file');
    // When the front matter could not be read, the cover's name is unknown: any image may be the cover.
    const isKnown = (name: string): boolean =>
      known.includes(name) || (known.includes(undefined) && COVER_TYPES.includes(extname(name).slice(1)));
    this.#strangers(files, new Set(files.map(({ name }) => name).filter(isKnown)));
    return entries.filter(({ kind, name, path }) => {
      if (kind !== 'folder') return false;
      if (!FOLDER_NAME.test(name)) this.#report(path)(1, 'Le nom du dossier doit être fait de a-z, 0-9 et -');
      return FOLDER_NAME.test(name);
    });
  }

  #strangers(entries: readonly FolderEntry[], known: ReadonlySet<string>): void {
    for (const { name, path, kind } of entries) {
      if (known.has(name)) continue;
      const isImage = IMAGE_TYPES.includes(extname(name).slice(1).toLowerCase());
      this.#report(path)(1, kind === 'folder' ? 'Dossier inconnu' : isImage ? "Image qu'aucun texte ne montre" : 'Fichier inconnu');
    }
  }

  #report(path: string) {
    return this.#faults.in(shown(path));
  }
}

function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

function mentioned(text: string, entries: readonly FolderEntry[]): string[] {
  return entries.map(({ name }) => name).filter((name) => text.includes(name));
}
