import { embedPictures, PicturesTooLarge } from '../../../../shared/saved-pages/embed-pictures.ts';
import { refused } from '../refusal.ts';

/** Returns a page with the pictures beside it in it (see embedPictures). @throws AppError 400 when they are too large together */
export async function withPictures(...page: Parameters<typeof embedPictures>): Promise<string> {
  try {
    return await embedPictures(...page);
  } catch (error) {
    throw error instanceof PicturesTooLarge ? refused(error.message, error) : error;
  }
}
