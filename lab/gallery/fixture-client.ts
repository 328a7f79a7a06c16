import {
  type DefaultError,
  type DefaultedQueryObserverOptions,
  QueryClient,
  type QueryKey,
  type QueryObserverOptions,
} from '@tanstack/react-query';
import { SettingsRefused } from '../../web/app/api/pinned.ts';
import { type Answers, factOf, waiting } from './facts.ts';

/** The longest delay that a timer accepts: 24 days. */
const NEVER_MS = 2 ** 31 - 1;

/** Answers every reading of the page from fixtures. Nothing is asked twice, or asked of a chain or a server. */
export class FixtureClient extends QueryClient {
  readonly #answers: Answers;

  constructor(answers: Answers) {
    super();
    this.#answers = answers;
  }

  override defaultQueryOptions<
    Fn = unknown,
    Failure = DefaultError,
    Data = Fn,
    Stored = Fn,
    Key extends QueryKey = QueryKey,
    Param = never,
  >(options: never): DefaultedQueryObserverOptions<Fn, Failure, Data, Stored, Key> {
    const defaulted = super.defaultQueryOptions<Fn, Failure, Data, Stored, Key, Param>(options);
    const mutable = defaulted as unknown as QueryObserverOptions<unknown, unknown>;
    mutable.queryFn = ({ queryKey }) => this.#answer(queryKey);
    // The footer shows the age of readings that are refetched.
    if (mutable.refetchInterval) mutable.refetchInterval = NEVER_MS;
    mutable.retry = false;
    mutable.staleTime = Number.POSITIVE_INFINITY;
    return defaulted;
  }

  #answer(key: QueryKey): Promise<unknown> {
    const fact = factOf(key);
    if (!(fact in this.#answers)) throw new Error(`no fixture answers ${JSON.stringify(key)}`);
    const answer = this.#answers[fact];
    if (answer === waiting) return new Promise(() => {});
    // Refused settings count as an answer.
    const isFailure = answer instanceof Error && !(answer instanceof SettingsRefused);
    return isFailure ? Promise.reject(answer) : Promise.resolve(answer);
  }
}
