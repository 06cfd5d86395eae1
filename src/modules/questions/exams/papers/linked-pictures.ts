import { hash } from 'node:crypto';

/** Pictures of frozen texts, WebP by name. */
export type Pictures = ReadonlyMap<string, Buffer>;

/** Matches what `PictureReader` puts into texts. */
const embedded = /(<img src=")data:image\/webp;base64,([^"]*)(?=")/g;

export const pictureUrl = '/user/concours-blancs/:id/images/:name';

/** Takes the pictures out of frozen texts: pages link to them, so that a device loads each once, when it comes into view. */
export class PictureLinks {
  readonly pictures = new Map<string, Buffer>();
  readonly #examId: number;

  constructor(examId: number) {
    this.#examId = examId;
  }

  /** Returns a text with links to its pictures. A picture is named by its content. */
  inText(html: string): string {
    return html.replaceAll(embedded, (_, before: string, base64: string) => {
      const bytes = Buffer.from(base64, 'base64');
      const name = `${hash('sha256', bytes).slice(0, 32)}.webp`;
      this.pictures.set(name, bytes);
      return before + pictureUrl.replace(':id', String(this.#examId)).replace(':name', name);
    });
  }
}

export const sizeOf = (pictures: Pictures): number => [...pictures.values()].reduce((sum, { length }) => sum + length, 0);
