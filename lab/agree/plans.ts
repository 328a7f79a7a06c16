import type { PlanTerms } from '@bowline/chain/drafts/plan';
import type { PlanHistory } from '@bowline/core/audit/history';
import type { Funds, Plan, PlanStatus } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { verdictCodes } from '@bowline/core/domain/verdict';
import type { ContractFunctionReturnType } from 'viem';
import type { planRegistryAbi } from '../../abis/index.ts';
import type { Random } from '../bench/verdict-quality/random.ts';
import { type Contract, callOf } from './deployer.ts';
import {
  answerOf,
  createScene,
  nobody,
  type Outcome,
  owner,
  type Scene,
  type Stage,
  signer,
  symbols,
  type TokenSymbol,
} from './stage.ts';

// Plays an owner's plans in the registry: creates, runs, defers, edits, pauses and revokes them, and records its answers now
// and at the edges of their slots. Times and amounts are small, to hit edges.

type Answered = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;

export interface PlayedPlan {
  readonly plan: Plan;
  readonly history: PlanHistory;
  /** Its source's prices of the token that it pays and of the one that it buys; undefined if it gives none. */
  readonly prices: readonly [bigint, bigint] | undefined;
  /** The registry's answer to a run now: `FloorNotMet` for one that it would make. */
  readonly now: Outcome;
  /** The same around the ends of its slots, until it runs. */
  readonly later: readonly { readonly time: bigint; readonly outcome: Outcome }[];
  /** Runs from now on: each slot is tried at its start, in the order of all plans, while the owner can pay. */
  readonly runs: readonly { readonly time: bigint; readonly start: bigint; readonly outcome: Outcome }[];
}

/** The policy that the agent's operator has set. */
export interface PlanPolicy {
  readonly tokens: readonly TokenSymbol[];
  readonly minimumRunUsdWad: bigint;
  readonly minimumPeriodSeconds: bigint;
  /** Whether the agent has the key of `signer`. */
  readonly isSigning: boolean;
  /** Whether the stage's other price source is the deployment's own. */
  readonly isOtherOwn: boolean;
}

export interface PlanCase {
  readonly now: bigint;
  readonly policy: PlanPolicy;
  readonly plans: readonly PlayedPlan[];
  readonly funds: Readonly<Record<TokenSymbol, Funds>>;
}

const DAY = 86_400n;
const enough = 10n ** 20n;
/** USD price of BTCB, 8 decimals, above every trigger. */
const dear = 10n ** 13n;

type Whole = (low: number, high: number) => number;

interface Drawn {
  readonly terms: PlanTerms;
  readonly edited: PlanTerms | undefined;
}

export async function playPlans(stage: Stage, random: Random): Promise<PlanCase> {
  const whole: Whole = (low, high) => Math.floor(random.between(low, high + 1));
  const now = 20n * DAY + BigInt(whole(-800, 800));
  const answers = {
    USDT: 99_990_000n + BigInt(whole(0, 9_999)),
    USDC: 100_000_000n,
    BTCB: BigInt(whole(10, 400)) * 99_999_999n,
  };
  const drawn = Array.from({ length: whole(1, 4) }, () => draw(stage, random, whole, Number(now), answers));
  if (random.chance(0.05)) answers.BTCB = 0n;
  // Equal amounts and round sums are frequent, so that funds often end exactly with a run.
  const some = () => BigInt(random.chance(0.5) ? 50 * whole(0, 20) : whole(0, 1_000));
  const funds = Object.fromEntries(
    symbols.map((each) => [each, { balance: some(), allowance: some() }]),
  ) as PlanCase['funds'];

  const scene = createScene(stage);
  prepare(scene, stage, Number(now), drawn, random, whole);
  scene.at(now);
  for (const symbol of symbols) {
    scene.setFunds(symbol, owner, stage.registry.address, funds[symbol]);
    scene.setAnswer(symbol, answers[symbol]);
  }
  const all = drawn.map(({ terms, edited }, at) => ({
    id: BigInt(at + 1),
    terms: edited ?? terms,
    version: edited ? 2 : 1,
  }));
  const reads = all.map((each) => readingOf(scene, stage, each));
  const first = all.map((each) => tryRun(scene, stage, each, now, 0n));
  const { runs, later } = playOn(scene, stage, all, now);
  await scene.play();
  const policy = {
    tokens: symbols.filter(() => random.chance(0.95)),
    minimumRunUsdWad: random.chance(0.2) ? 100n : 0n,
    minimumPeriodSeconds: random.chance(0.2) ? BigInt(drawn[0]?.terms.periodSeconds ?? 0) : 0n,
    ...{ isSigning: random.chance(0.5), isOtherOwn: random.chance(0.5) },
  };
  const plans = all.map(({ id, terms }, at): PlayedPlan => {
    const { answered, history, prices } = (reads[at] as () => Read)();
    const paid = symbols.find((symbol) => stage.tokens[symbol].address === terms.tokenIn) as TokenSymbol;
    const plan = planOf(id, answered, funds[paid]);
    const ran = runs.filter((each) => each.id === id).map((each) => ({ ...each, outcome: each.outcome() }));
    const ranBefore = (time: bigint) => ran.some((each) => each.outcome.ok && each.time < time);
    const seen = later.filter((each) => each.id === id && !ranBefore(each.time));
    return {
      ...{
        plan,
        history,
        prices,
        now: (first[at] as () => Outcome)(),
        runs: ran,
      },
      later: seen.map((each) => ({ ...each, outcome: each.outcome() })),
    };
  });
  return { now, policy, plans, funds };
}

const executorOf = ({ executor, otherExecutor }: Stage, { executor: of }: PlanTerms): Contract =>
  of === executor.address ? executor : otherExecutor;

/** Terms that the registry accepts, some with a trigger or a limit at an edge. */
function draw(stage: Stage, random: Random, whole: Whole, now: number, answers: Record<TokenSymbol, bigint>): Drawn {
  const { tokens } = stage;
  const [pay, buy] = (
    [
      ['USDT', 'BTCB'],
      ['USDT', 'BTCB'],
      ['USDC', 'BTCB'],
      ['BTCB', 'USDT'],
      ['USDT', 'USDC'],
    ] as const
  )[whole(0, 4)] as readonly [TokenSymbol, TokenSymbol];
  const periodSeconds = whole(60, 300);
  const startAt = now + whole(-1_500, 300);
  const scale = { USDT: 10n ** 18n, USDC: 10n ** 30n, BTCB: 10n ** 18n };
  const priceWad = (answers[buy] * scale[buy] * WAD) / (answers[pay] * scale[pay]);
  const kind = random.next();
  const isWithoutSource = kind < 0.1;
  const priceSource = isWithoutSource ? nobody : kind < 0.2 ? stage.otherSource.address : stage.chainlink.address;
  const hasTrigger = kind > 0.7 && buy === 'BTCB';
  const terms: PlanTerms = {
    // Another account receives, so no plan pays with what another bought.
    ...{ owner, recipient: signer },
    executor: (random.chance(0.9) ? stage.executor : stage.otherExecutor).address,
    verdictSigner: random.chance(0.8) ? nobody : signer,
    ...{ tokenIn: tokens[pay].address, tokenOut: tokens[buy].address },
    amountPerRun: BigInt(random.chance(0.5) ? 50 * whole(1, 4) : whole(50, 250)),
    ...{ startAt, periodSeconds, windowSeconds: random.chance(0.4) ? periodSeconds : whole(1, periodSeconds) },
    ...{
      maxRuns: whole(1, 8),
      expiresAt: Math.max(startAt, now - (random.chance(0.8) ? 0 : 1_590)) + whole(1, 6 * periodSeconds),
    },
    ...{ priceSource, limitPriceWad: kind < 0.3 ? 10n * priceWad + 1n : 0n, farLimit: kind < 0.2 },
    maxSlippageBps: isWithoutSource ? 0 : whole(0, 3) * 50,
    triggerPriceWad: hasTrigger ? priceWad + BigInt(whole(-1, 1)) : 0n,
  };
  const shift = whole(-200, 200);
  const edited = { ...terms, startAt: startAt + shift, periodSeconds: whole(60, 300), windowSeconds: whole(1, 60) };
  const isEdited =
    terms.verdictSigner === nobody && random.chance(0.4) && terms.expiresAt > now - 50 && terms.maxRuns > 3;
  return {
    terms,
    edited: isEdited ? { ...edited, maxRuns: 9, expiresAt: Math.max(startAt + shift, now) + whole(1, 900) } : undefined,
  };
}

/** Creates the plans' past: runs and deferrals at up to three times, then an edit, a pause, a cancellation, a revocation. */
function prepare(scene: Scene, stage: Stage, now: number, drawn: readonly Drawn[], random: Random, whole: Whole): void {
  const { registry, revocations } = stage;
  scene.at(BigInt(now - 1_600));
  for (const symbol of symbols) {
    scene.setFunds(symbol, owner, registry.address, { balance: enough, allowance: enough });
    scene.setFunds(symbol, stage.executor.address, registry.address, { balance: 1_000n * enough, allowance: 0n });
    scene.setFunds(symbol, stage.otherExecutor.address, registry.address, { balance: 1_000n * enough, allowance: 0n });
    scene.setAnswer(symbol, symbol === 'BTCB' ? dear : 10n ** 8n);
    scene.call(owner, stage.otherSource, 'setPrice', stage.tokens[symbol].address, WAD);
  }
  for (const { terms } of drawn) scene.call(owner, registry, 'create', terms);
  const all = drawn.map(({ terms }, at) => ({ id: BigInt(at + 1), terms, version: 1, runs: 0 }));
  for (const start of [-1_500, -1_000, -500]) {
    const time = BigInt(now + start + whole(0, 400));
    scene.at(time);
    for (const each of all) {
      if (random.chance(0.5)) continue;
      if (random.chance(0.7) && ++each.runs) tryRun(scene, stage, each, time, enough);
      else {
        const claim = { verdict: verdictCodes.NO_GO, evidenceHash: `0x${'11'.repeat(32)}` };
        scene.call(owner, executorOf(stage, each.terms), 'defer', each.id, whole(1, 2), claim);
      }
    }
  }
  scene.at(BigInt(now - 50));
  for (const [at, { edited }] of drawn.entries()) {
    const { id, runs } = all[at] as (typeof all)[number];
    // The number of runs that the registry made is not known yet: one of these edits fits.
    for (let made = 0; edited && made <= runs; made++)
      scene.call(owner, registry, 'edit', id, 1n, BigInt(made), edited);
    if (random.chance(0.2)) scene.call(owner, registry, random.chance(0.7) ? 'pause' : 'cancel', id);
  }
  if (random.chance(0.05)) scene.call(owner, revocations, 'revokeAll');
}

interface Numbered {
  readonly id: bigint;
  readonly terms: PlanTerms;
  readonly version: number;
}

interface Read {
  readonly answered: Answered;
  readonly prices: PlayedPlan['prices'];
  readonly history: PlanHistory;
}

function readingOf(
  scene: Scene,
  { registry, chainlink, otherSource }: Stage,
  { id, version, terms }: Numbered,
): () => Read {
  const plan = scene.call(owner, registry, 'plan', id);
  const versions = Array.from({ length: version }, (_, at) =>
    scene.call(owner, registry, 'termsOf', id, BigInt(at + 1)),
  );
  const runs = scene.call(owner, registry, 'runs', id, 0n, 100n);
  const source = terms.priceSource === otherSource.address ? otherSource : chainlink;
  const prices = scene.call(owner, source, 'prices', terms.tokenIn, terms.tokenOut);
  return () => {
    const answered = answerOf<Answered>(plan());
    const { state, isRevoked } = answered;
    if (state.version !== version)
      throw new Error(`The registry has version ${state.version} of plan ${id}, not ${version}.`);
    const history = {
      ...{ id, blockNumber: 1n, state, isRevoked },
      versions: versions.map((each) => answerOf<PlanTerms>(each())),
    };
    const priced = prices();
    return {
      answered,
      prices: priced.ok ? (priced.value as [bigint, bigint]) : undefined,
      history: { ...history, runs: answerOf(runs()) },
    };
  };
}

const statuses: readonly PlanStatus[] = ['cancelled', 'active', 'paused', 'cancelled'];

function planOf(id: bigint, { terms, state, isRevoked }: Answered, { balance, allowance }: Funds): Plan {
  return {
    ...{ id, ...terms, ...state, cursor: BigInt(state.cursor) },
    ...{ startAt: BigInt(terms.startAt), periodSeconds: BigInt(terms.periodSeconds) },
    ...{ windowSeconds: BigInt(terms.windowSeconds), expiresAt: BigInt(terms.expiresAt) },
    status: isRevoked ? 'revoked' : (statuses[state.status] as PlanStatus),
    ...{ ownerBalance: balance, ownerAllowance: allowance },
  };
}

/** Runs a plan through its executor, which delivers `amountOut`. For zero, the registry reverts and names the floor. */
function tryRun(scene: Scene, stage: Stage, plan: Numbered, time: bigint, amountOut: bigint): () => Outcome {
  const executor = executorOf(stage, plan.terms);
  scene.send(callOf(owner, executor, 'setAmountOut', amountOut));
  const evidenceHash = `0x${'22'.repeat(32)}`;
  const { tokenIn, tokenOut, verdictSigner } = plan.terms;
  if (verdictSigner === nobody) {
    return scene.call(owner, executor, 'run', plan.id, { verdict: verdictCodes.GO, evidenceHash }, '0x');
  }
  const most = 2n ** 128n;
  const ticket = {
    ...{ tokenIn, tokenOut, verdict: verdictCodes.GO, maxPriceWad: most, maxAmountIn: most },
    ...{ issuedAt: time, expiresAt: time + 1n, evidenceHash },
  };
  return scene.call(owner, executor, 'runOn', plan.id, BigInt(plan.version), ticket, '0x01');
}

/** Tries every plan at each start of its grid and, without effect, around the ends of its windows and its own end. */
function playOn(scene: Scene, stage: Stage, all: readonly Numbered[], now: bigint) {
  // No trigger may block a run: the number of paid runs does not depend on it.
  scene.call(owner, stage.feeds.BTCB, 'set', dear, 1n);
  const gridOf = ({ terms: { startAt, periodSeconds } }: Numbered) => ({
    startAt: BigInt(startAt),
    period: BigInt(periodSeconds),
  });
  const tries = all.flatMap((each) => {
    const { startAt, period } = gridOf(each);
    const end = BigInt(each.terms.expiresAt);
    const from = now < startAt ? startAt : now - ((now - startAt) % period);
    const starts: bigint[] = [];
    for (let start = from; start < end && starts.length < 10; start += period) starts.push(start);
    const closes = starts
      .slice(0, 2)
      .flatMap((start) => [-1n, 0n].map((by) => start + BigInt(each.terms.windowSeconds) + by));
    const edges = [...closes, end - 1n, end].filter((time) => time > now);
    return [
      ...starts.map((start) => ({ each, start, time: start < now ? now : start, isEdge: false })),
      ...[...new Set(edges)].map((time) => ({ each, start: time, time, isEdge: true })),
    ];
  });
  const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
  const inOrder = tries.toSorted(
    (a, b) =>
      compare(a.time, b.time) ||
      Number(b.isEdge) - Number(a.isEdge) ||
      compare(a.start, b.start) ||
      compare(a.each.id, b.each.id),
  );
  const runs: { id: bigint; time: bigint; start: bigint; outcome: () => Outcome }[] = [];
  const later: typeof runs = [];
  let at = now;
  for (const { each, time, start, isEdge } of inOrder) {
    if (time > at) scene.at(time);
    at = time;
    const outcome = tryRun(scene, stage, each, time, isEdge ? 0n : enough);
    (isEdge ? later : runs).push({ id: each.id, time, start, outcome });
  }
  return { runs, later };
}
