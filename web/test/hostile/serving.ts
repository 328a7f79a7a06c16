import type { PageConfig } from '../../wire.ts';
import { thief } from '../mutants.ts';
import { servesAll } from '../serves.ts';
import { changed, type Random } from './seeded.ts';

// What a hostile agent states about its work: that it serves all, though not the page's contracts; strange types.

const strange = [
  null,
  undefined,
  '',
  'all',
  0,
  1,
  true,
  [],
  {},
  [[]],
  { guards: {} },
  { guards: 'all', plans: 'all' },
  thief,
];

/** A statement that is honest except for one thing. @param now unix seconds. */
export function hostileServing(random: Random, config: PageConfig, now: bigint): unknown {
  const honest = servesAll(config, now);
  const both = (of: object) => ({
    ...honest,
    ...(random.below(2) === 0 && { plans: { ...honest.plans, ...of } }),
    guards: { ...honest.guards, ...of },
  });
  const contract = random.pick(['planRegistry', 'swapExecutor', 'loanGuard']);
  const apart = BigInt(random.pick([90, 3_600, 86_400, -90, -86_400]));
  switch (random.below(8)) {
    case 0:
      return random.pick(strange);
    case 1:
      return { ...honest, [contract]: random.pick([thief, thief.toLowerCase(), null, [honest.loanGuard], 7]) };
    case 2:
      return { ...honest, chainId: random.pick([1, 56, 97, String(config.chainId), null, [config.chainId]]) };
    case 3:
      return both({ reason: random.pick(['stop_file', 'loop_late', 'chain_unavailable', 'new', 7, {}]) });
    case 4:
      return both({ lastRoundAt: random.pick([null, Number(now), String(now - 300n), String(now + 9n), '-1', '']) });
    case 5:
      return {
        ...honest,
        block: random.pick([null, {}, { number: '1', timestamp: String(now - apart) }, String(now)]),
      };
    case 6:
      return both(
        random.pick([
          { tokens: [] },
          { tokens: '*' },
          { maxTriggerHealthWad: '0' },
          { owner: `0x${'9'.repeat(40)}` },
          { minRepayUsdWad: '9'.repeat(40) },
          { everySeconds: -1 },
        ]),
      );
    default:
      return changed(random, honest);
  }
}

interface Stated {
  readonly chainId?: unknown;
  readonly at?: unknown;
  readonly block?: { readonly timestamp?: unknown } | null;
  readonly guards?: Readonly<Record<string, unknown>> | null;
}

/** Seconds by which the page's clock may also advance by itself while rounds are played. */
const SLACK = 300;

/**
 * Whether a statement allows calling a guard "guarded", decided independently of the page's code: it must name the
 * page's chain and contracts, be roughly current, and report a working guard loop.
 * @param now unix seconds.
 */
export function mayServeGuards(stated: unknown, { chainId, contracts }: PageConfig, now: bigint): boolean {
  if (typeof stated !== 'object' || stated === null) return false;
  const { at, block, guards, ...rest } = stated as Stated;
  const isThis = (['planRegistry', 'swapExecutor', 'loanGuard'] as const).every((name) => {
    const named = (stated as Record<string, unknown>)[name];
    return typeof named === 'string' && named.toLowerCase() === contracts[name].toLowerCase();
  });
  const ahead = Number(block?.timestamp ?? 'none') - Number(now);
  if (rest.chainId !== chainId || !isThis || !(ahead <= 60 + SLACK) || !guards) return false;
  const { reason, lastRoundAt, everySeconds, tokens } = guards;
  if (reason !== null || typeof lastRoundAt !== 'string' || typeof at !== 'string') return false;
  const rested = Number(at) - Number(lastRoundAt);
  const isOwn = typeof everySeconds === 'number' && rested >= 0 && rested <= everySeconds + 60;
  return isOwn && Array.isArray(tokens) && tokens.length > 0 && servesBounds(guards);
}

/** The round's guard has a trigger of 1.1, and repays hundreds of dollars. */
function servesBounds({ owner, maxTriggerHealthWad, minRepayUsdWad }: Record<string, unknown>) {
  const isAbove = Number(maxTriggerHealthWad) >= 1.1e18;
  return owner === null && isAbove && Number(minRepayUsdWad) < 1e22;
}
