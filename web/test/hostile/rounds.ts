import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi, toHex } from 'viem';
import { quoteDeskAbi } from '../../../abis/index.ts';
import type { BuyAnswer, PageConfig } from '../../wire.ts';
import { isSomethingApproved, mayBeGuarded } from './oracle.ts';
import type { Honest, Place, Turn } from './place.ts';
import { randomOf } from './seeded.ts';

// Rounds of hostile answers to one page, and what must hold after each.

interface Seen {
  readonly sent: readonly { readonly to: Address; readonly data: Hex; readonly value?: Hex }[];
  readonly badges: readonly string[];
  readonly hasStop: boolean;
  readonly hasSections: boolean;
  readonly saysBought: boolean;
  readonly saysUnsound: boolean;
  readonly saysApproved: boolean;
  readonly saysNothingApproved: boolean;
  readonly hasFailed: boolean;
  /** What stands around the words of a broken part. */
  readonly text?: string;
}

/** What was seen in all rounds: of the honest ones too, without which the others show nothing. */
export interface Tally {
  rounds: number;
  changed: number;
  refused: number;
  /** Honest rounds in which the page offered, called fair, called guarded, or called approved what it should. */
  readonly honest: { bought: number; fair: number; guarded: number; approved: number };
  /** What must not be, with the seed that shows it. */
  readonly violations: string[];
}

interface Rounds {
  readonly browser: Browser;
  readonly place: Place;
  readonly honest: Honest;
  readonly owner: Address;
  readonly rpcUrl: string;
  /** Unix seconds. */
  readonly blockTime: bigint;
}

/** Dollars that are typed in every order. */
const TYPED = '100';
/** The page's clock is moved on by so much before it looks again. */
const LOOK_SECONDS = 31;
/** Of how many orders the approval of one is signed, which takes seconds: then the swap is asked for, too. */
const SIGNED_EACH = 25;
/** Rounds with one load of the page. */
const A_LOAD = 100;

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct SwapPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(SwapPath swap) payable returns (uint256)',
]);

const parts = [
  { turn: 'agent', section: '/buy', share: 25 },
  { turn: 'server', section: '/buy', share: 25 },
  { turn: 'server', section: '/portfolio', share: 14 },
  { turn: 'node', section: '/guard', share: 14 },
  { turn: 'node', section: '/plans', share: 5 },
  { turn: 'node', section: '/portfolio', share: 3 },
  { turn: 'node', section: '/buy', share: 8 },
  { turn: 'server', section: 'config', share: 6 },
] as const satisfies readonly { readonly turn: Turn; readonly section: string; readonly share: number }[];

/** @param total answers, each from a seed of its own: the one given and those after it. */
export async function playRounds(given: Rounds, total: number, seed: number): Promise<Tally> {
  const tally: Tally = {
    rounds: 0,
    changed: 0,
    refused: 0,
    honest: { bought: 0, fair: 0, guarded: 0, approved: 0 },
    violations: [],
  };
  let next = seed;
  for (let done = 0; done < total; done += A_LOAD) {
    const page = await openHostile(given, tally);
    for (const { turn, section, share } of parts) {
      const count = Math.round((share * Math.min(A_LOAD, total - done)) / 100);
      if (section === 'config') await configRounds(given, page, tally, next, count);
      else await sectionRounds(given, page, tally, { turn, section, count, seed: next });
      next += count;
    }
    await page.context().close();
  }
  return tally;
}

async function openHostile({ browser, place, honest, owner, rpcUrl }: Rounds, tally: Tally): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => tally.violations.push(`the page threw: ${message}`));
  const setup = { owner, chainId: toHex(honest.config.chainId), rpcUrl };
  await page.addInitScript(`globalThis.bowlineHostileSetup = ${JSON.stringify(setup)};`);
  await page.addInitScript({ content: readFileSync(fileURLToPath(new URL('in-page.js', import.meta.url)), 'utf8') });
  place.change('agent', undefined);
  place.date(0);
  await page.goto(`${place.url}/portfolio`);
  // The wallet knows the page already.
  await page.getByRole('button', { name: 'Stop everything' }).waitFor();
  return page;
}

interface Group {
  readonly turn: Turn;
  readonly section: string;
  readonly count: number;
  readonly seed: number;
}

async function sectionRounds(given: Rounds, page: Page, tally: Tally, { turn, section, count, seed }: Group) {
  const { place } = given;
  place.change(turn, undefined);
  await page.evaluate(`bowlineHostile('open', '${section}')`);
  for (let at = 0; at < count; at++) {
    // The first of each section: what it offers honestly, it must be able to offer.
    const isHonest = at === 0;
    const random = isHonest ? undefined : randomOf(seed + at);
    place.change(turn, random);
    const isBuy = section === '/buy';
    const isSigned = isHonest ? turn === 'agent' : (seed + at) % SIGNED_EACH === 0;
    // What is still approved is read in the panel of the stop button alone.
    const look = section === '/plans' ? `'approvals'` : `'look'`;
    const doing = isBuy ? `'buy', '${TYPED}', ${isSigned}` : look;
    let looks = 0;
    let seen: Seen;
    let tries = 0;
    do {
      looks = Number(await page.evaluate('bowlineLooks()')) + (isBuy ? 0 : 1);
      place.date(looks * LOOK_SECONDS);
      place.node.told();
      seen = (await page.evaluate(`bowlineHostile(${doing})`)) as Seen;
      // An honest answer may take a second look to be whole.
    } while (isHonest && section === '/guard' && !seen.badges.includes('guarded') && tries++ < 5);
    const complain = complainer(tally, `${turn} ${section} seed ${isHonest ? 'none' : seed + at}`);
    tally.rounds++;
    if (!isHonest) tally.changed++;
    judgeFrame(seen, complain);
    if (section === '/buy') judgeBuy(given, seen, complain, tally, isHonest);
    else if (section === '/portfolio' && turn === 'server') judgeQuote(given, seen, complain, tally, isHonest, looks);
    else judgeAccount(given, seen, complain, tally, isHonest && section === '/guard', looks);
    if (isHonest && section === '/plans' && seen.saysApproved) tally.honest.approved++;
  }
}

type Complain = (what: string) => void;

const complainer =
  ({ violations }: Tally, where: string): Complain =>
  (what) => {
    if (violations.length < 20) violations.push(`${where}: ${what}`);
  };

function judgeFrame(seen: Seen, complain: Complain): void {
  if (!seen.hasStop) complain('the stop button is missing');
  if (seen.hasFailed) complain(`a part of the page broke: ${seen.text}`);
  if (seen.saysBought) complain('it says that something was bought');
}

function judgeBuy({ place, honest, owner }: Rounds, seen: Seen, complain: Complain, tally: Tally, isHonest: boolean) {
  const { draft } = place.given();
  for (const call of seen.sent) {
    const wrong = wrongWith(call, honest.draft, honest.config, owner);
    if (wrong !== undefined) complain(`the wallet was asked for ${wrong}: ${JSON.stringify(call)}`);
  }
  if (fairIn(seen) > 0 && (draft as Partial<BuyAnswer>).verdict !== 'GO') complain('it calls fair what is not');
  if (seen.saysUnsound) tally.refused++;
  if (!isHonest) return;
  if (seen.sent.some(({ data }) => !data.startsWith('0x095ea7b3'))) tally.honest.bought++;
  if (fairIn(seen) > 0) tally.honest.fair++;
}

/** What of a call was not typed; undefined if all of it was. */
function wrongWith(
  { to, data, value }: Seen['sent'][number],
  honest: BuyAnswer,
  { contracts }: PageConfig,
  owner: Address,
): string | undefined {
  const [paid, least] = [BigInt(honest.amount_in ?? 0), BigInt(honest.min_amount_out ?? 0)];
  const isTyped = (amount: bigint) => amount * 1_000n >= paid * 996n && amount * 1_000n <= paid * 1_004n;
  const isEnough = (amount: bigint) => amount * 100n >= least * 97n;
  const [tokenIn, tokenOut] = [honest.token_in as Address, honest.token_out as Address];
  if (value !== undefined && BigInt(value) !== 0n) return 'BNB';
  try {
    if (isAddressEqual(to, tokenIn)) {
      const { functionName, args } = decodeFunctionData({ abi, data });
      if (functionName !== 'approve') return 'another function of the token';
      const [spender, amount] = args;
      const isPinned = [contracts.router, contracts.quoteDesk].some((each) => each && isAddressEqual(each, spender));
      return isPinned && (amount === 0n || isTyped(amount)) ? undefined : 'another approval';
    }
    if (isAddressEqual(to, contracts.router)) {
      const { functionName, args } = decodeFunctionData({ abi, data });
      if (functionName !== 'exactInput') return 'another function of the router';
      const { path, recipient, amountIn, amountOutMinimum } = args[0];
      const isPair = path.startsWith(tokenIn.toLowerCase()) && path.endsWith(tokenOut.slice(2).toLowerCase());
      const isOwn = isAddressEqual(recipient, owner);
      return isPair && isOwn && isTyped(amountIn) && isEnough(amountOutMinimum) ? undefined : 'another swap';
    }
    if (contracts.quoteDesk && isAddressEqual(to, contracts.quoteDesk)) {
      const { functionName, args } = decodeFunctionData({ abi: quoteDeskAbi, data });
      if (functionName !== 'redeem') return 'another function of the desk';
      const { buyer, amountIn, amountOut } = args[0];
      return isAddressEqual(buyer, owner) && isTyped(amountIn) && isEnough(amountOut) ? undefined : 'another quote';
    }
  } catch {
    return 'what cannot be read';
  }
  return 'a call of an unknown contract';
}

const fairIn = ({ badges }: Seen): number => badges.filter((badge) => badge.startsWith('Fair price')).length;

function judgeQuote(
  { place, blockTime }: Rounds,
  seen: Seen,
  complain: Complain,
  tally: Tally,
  isHonest: boolean,
  looks: number,
): void {
  if (seen.sent.length > 0) complain('the wallet was asked for something');
  const { assets = [] } = (place.given().quote ?? {}) as { readonly assets?: unknown };
  const fair = (Array.isArray(assets) ? assets : []).filter((asset) =>
    isFair(asset, blockTime + BigInt(looks * LOOK_SECONDS)),
  );
  if (fairIn(seen) > fair.length) complain(`it calls ${fairIn(seen)} prices fair, and was told so of ${fair.length}`);
  if (isHonest && fairIn(seen) > 0) tally.honest.fair++;
}

/** Whether an asset was said to be fairly priced, and not longer ago than a ticket is good for. */
function isFair(asset: unknown, now: bigint): boolean {
  const { judged } = (asset ?? {}) as {
    readonly judged?: { readonly verdict?: unknown; readonly issued_at?: unknown };
  };
  return judged?.verdict === 'GO' && Number(judged.issued_at) + 120 > Number(now);
}

function judgeAccount(
  { place, honest, blockTime }: Rounds,
  seen: Seen,
  complain: Complain,
  tally: Tally,
  isControl: boolean,
  looks: number,
): void {
  if (seen.sent.length > 0) complain('the wallet was asked for something');
  const told = place.node.told();
  const isGuarded = seen.badges.includes('guarded');
  const now = blockTime + BigInt(looks * LOOK_SECONDS);
  if (isGuarded && !mayBeGuarded(told, honest.config.contracts.loanGuard, now)) complain('it says guarded');
  if (isControl && isGuarded) tally.honest.guarded++;
  if (seen.saysNothingApproved && isSomethingApproved(told)) complain('it says that nothing is approved');
}

/** The server names another chain, node, contract or token: the page then has no section, and the stop button. */
async function configRounds({ place, honest }: Rounds, page: Page, tally: Tally, seed: number, count: number) {
  let isRefusing = false;
  for (let at = 0; at < count; at++) {
    place.change('server', randomOf(seed + at));
    if (isRefusing) await page.evaluate(`bowlineHostile('again')`);
    else await page.reload();
    const seen = (await page.evaluate(`bowlineHostile('settle')`)) as Seen;
    const complain = complainer(tally, `server config seed ${seed + at}`);
    tally.rounds++;
    tally.changed++;
    judgeFrame(seen, complain);
    if (seen.sent.length > 0) complain('the wallet was asked for something');
    isRefusing = !seen.hasSections;
    if (seen.hasSections && !isAllowed(place.given().config, honest.config)) complain('it took another configuration');
    else if (isRefusing) tally.refused++;
  }
}

/** The server may list fewer assets, and name what nobody reads. */
function isAllowed(told: unknown, pinned: PageConfig): boolean {
  const listed = (told as PageConfig).assets;
  const all = pinned.assets.map((asset) => JSON.stringify(asset));
  const isSubset = Array.isArray(listed) && listed.every((asset) => all.includes(JSON.stringify(asset)));
  return isSubset && JSON.stringify({ ...(told as object), assets: [] }) === JSON.stringify({ ...pinned, assets: [] });
}
