import { type Dependency, type LoopState, type Readiness, readinessOf } from '@bowline/core/domain/readiness';
import type { GuardsServed } from '@bowline/core/domain/served';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Clock } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { Serving } from '@bowline/core/serving';
import { type LoopName, neededBy } from './conditions.ts';
import type { Watched } from './watched.ts';

/** What its operator has set. */
interface Terms {
  readonly chainId: number;
  readonly servingPolicy: {
    /** Symbols. */
    readonly tokens: readonly string[];
    readonly minimumRunUsdWad: bigint;
    readonly minimumPeriodSeconds: bigint;
    readonly owner?: Address | undefined;
  };
  readonly guardServingPolicy: Omit<GuardsServed, 'tokens'> & { readonly minimumRepayUsdWad: bigint };
}

interface Parts {
  readonly watched: Pick<Watched, 'vitals' | 'loops'>;
  readonly dependencies: readonly Dependency[];
  /** The addresses whose verdicts it can sign for plans. */
  readonly tickets: readonly Pick<TicketSigner, 'address'>[];
  /** The desk whose offers it signs; undefined if it signs none. */
  readonly desk: Address | undefined;
  readonly clock: Clock;
}

/** What this process serves now, from what it already knows, without asking anyone. */
export async function servingOf(
  { chainId, servingPolicy, guardServingPolicy }: Terms,
  { own, assets }: Pick<AddressBook, 'own' | 'assets'>,
  { watched, dependencies, tickets, desk, clock }: Parts,
): Promise<Serving> {
  const ready = await readinessOf(dependencies);
  const at = clock();
  const { head } = watched.vitals.read();
  const loops = watched.loops();
  const part = (name: LoopName) =>
    partOf(
      loops.find((loop) => loop.name === name),
      neededBy(name),
      ready,
      at,
    );
  const [plans, guards] = [part('executor'), part('loan-guard')];
  const served = assets.filter(({ symbol }) => servingPolicy.tokens.includes(symbol));
  const addresses = (of: AddressBook['assets']) => of.map(({ address }) => address);
  return {
    chainId,
    ...{ planRegistry: own.planRegistry, swapExecutor: own.swapExecutor, loanGuard: own.loanGuard },
    ...(own.collateralGuard && { collateralGuard: own.collateralGuard }),
    at: String(at),
    block: head === undefined ? null : { number: String(head.number), timestamp: String(at - BigInt(head.ageSeconds)) },
    plans: plans && {
      ...plans,
      tokens: addresses(served),
      verdictSigners: tickets.map(({ address }) => address),
      owner: servingPolicy.owner ?? null,
      minPeriodSeconds: String(servingPolicy.minimumPeriodSeconds),
      minRunUsdWad: String(servingPolicy.minimumRunUsdWad),
    },
    guards: guards && {
      ...guards,
      tokens: addresses(assets),
      maxTriggerHealthWad: String(guardServingPolicy.maxTriggerHealthWad),
      owner: guardServingPolicy.owner ?? null,
      minRepayUsdWad: String(guardServingPolicy.minimumRepayUsdWad),
    },
    quotes: desk === undefined ? null : { desk },
    selling: part('jobs'),
  };
}

function partOf(loop: LoopState | undefined, names: readonly string[], { dependencies }: Readiness, at: bigint) {
  if (loop === undefined) return null;
  const failed = names.map((name) => dependencies[name]).find((state) => state !== undefined && !state.ok);
  const { intervalSeconds, goodMs, rounds } = loop;
  return {
    reason: failed === undefined ? null : (failed.reason ?? 'no_answer'),
    everySeconds: intervalSeconds,
    lastRoundAt: rounds.good === 0 ? null : String(at - BigInt(Math.floor(goodMs / 1000))),
  };
}
