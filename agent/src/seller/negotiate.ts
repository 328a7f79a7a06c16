import type { Offers } from '@bowline/core/domain/jobs';
import type { Reply, Seller } from './seller.ts';

/** Arguments of check_asset. */
type VerdictRequest = Record<string, unknown>;

/** The request in a task; undefined if it is not a verdict request. Uses no model. */
export type Interpret = (task: string) => VerdictRequest | undefined;

const MAX_TASK_CHARS = 2_000;

/** Makes signed offers, only for work that can be delivered. */
export function createNegotiate(offers: Offers, interpret: Interpret): Seller['negotiate'] {
  return async (request): Promise<Reply> => {
    const terms = isObject(request) ? request : {};
    const { task_description: task } = terms;
    if (typeof task !== 'string' || task.trim() === '') {
      return offers.refuse(terms, 'ambiguous_terms', 'task_description must name the trade to judge.');
    }
    if (task.length > MAX_TASK_CHARS) {
      return offers.refuse(terms, 'task_too_long', `task_description may have at most ${MAX_TASK_CHARS} characters.`);
    }
    // Interpret the signed text, which is what will be worked on.
    if (interpret(offers.signedText(task)) === undefined) {
      const reason =
        'Only verdict reports are sold, one per job: name one listed asset, one side and one size, like ' +
        '"Is BTCB fairly priced to buy for 5,000 USD?"';
      return offers.refuse(terms, 'unsupported', reason);
    }
    return await offers.make(terms);
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
