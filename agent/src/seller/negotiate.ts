import type { Offers } from '@bowline/core/domain/jobs';
import type { Reply, Seller } from './seller.ts';

/** Arguments of check_asset. */
type VerdictRequest = Record<string, unknown>;

/** What a task asks for; undefined when it is not a question that a verdict answers. Decides nothing by a model. */
export type Interpret = (task: string) => VerdictRequest | undefined;

const MAX_TASK_CHARS = 2_000;

/** Makes signed offers, for what can be delivered alone. */
export function createNegotiate(offers: Offers, interpret: Interpret): Seller['negotiate'] {
  return async (request): Promise<Reply> => {
    const asked = isObject(request) ? request : {};
    const { task_description: task } = asked;
    if (typeof task !== 'string' || task.trim() === '') {
      return offers.refuse(asked, 'ambiguous_terms', 'task_description must say what is to be judged.');
    }
    if (task.length > MAX_TASK_CHARS) {
      return offers.refuse(asked, 'task_too_long', `task_description may have ${MAX_TASK_CHARS} characters.`);
    }
    // What is signed is what will be worked on.
    if (interpret(offers.signedText(task)) === undefined) {
      const reason =
        'Only verdict reports are sold, one a job: name one listed asset, one side and one size, like ' +
        '"Is BTCB fairly priced to buy for 5,000 USD?"';
      return offers.refuse(asked, 'unsupported', reason);
    }
    return await offers.make(asked);
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
