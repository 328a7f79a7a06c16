import { servedWords } from '../words/en/served.ts';
import type { NotServing } from './serving.ts';

/** Why no buy may come, of an agent that does not count as serving plans. */
export const noBuyWords = (why: NotServing): string =>
  why === 'unseen' ? servedWords.unseen : servedWords.noBuy(servedWords.why[why]);
