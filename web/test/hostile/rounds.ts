import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type Address, toHex } from 'viem';
import type { PageConfig } from '../../wire.ts';
import { judge, judgeFrame, nothingSaid, type Said, type Seen, saidIn } from './judge.ts';
import { usualOf } from './oracle.ts';
import { type Honest, LOAN_ACTS, type LoanAct, type Place, type Side, type Turn, TYPED } from './place.ts';
import { randomOf } from './seeded.ts';

// Rounds of hostile answers to one page.

export interface Tally {
  rounds: number;
  changed: number;
  refused: number;
  /** What the page said on honest answers; shows that each claim can be made at all. */
  honest: Said;
  /** What it said on hostile answers. */
  hostile: Said;
  /** What must not happen but did, with the seed that shows it. */
  readonly violations: string[];
}

interface Rounds {
  readonly browser: Browser;
  readonly place: Place;
  readonly honest: Honest;
  readonly owner: Address;
  /** Another account with a loan. */
  readonly neighbour: Address;
  readonly rpcUrl: string;
  /** Unix seconds. */
  readonly blockTime: bigint;
  /** Called with the tally so far after each page load. */
  readonly report?: (tally: Tally) => void;
}

/** How far the page's clock moves forward before it looks again. */
const LOOK_SECONDS = 31;
/** One in this many orders to a hostile agent or server is signed. */
const SIGNED_EACH = 25;
/** Rounds per page load. */
const A_LOAD = 100;

/** Shares in percent. Trades come first: the other parts move the page's clock forward, which makes a verdict old. */
const parts = [
  { turn: 'agent', section: '/trade', side: 'buy', share: 10 },
  { turn: 'agent', section: '/trade', side: 'sell', share: 4 },
  { turn: 'agent', section: '/trade', side: 'bnb', share: 4 },
  { turn: 'wallet', section: '/trade', side: 'buy', share: 3 },
  { turn: 'wallet', section: '/trade', side: 'sell', share: 2 },
  { turn: 'wallet', section: '/trade', side: 'bnb', share: 3 },
  { turn: 'server', section: '/trade', side: 'buy', share: 6 },
  { turn: 'server', section: '/trade', side: 'sell', share: 3 },
  { turn: 'server', section: '/trade', side: 'bnb', share: 3 },
  { turn: 'node', section: '/trade', side: 'buy', share: 4 },
  { turn: 'server', section: '/portfolio', share: 6 },
  { turn: 'server', section: '/loans', share: 2 },
  { turn: 'server', section: '/', share: 3 },
  { turn: 'serving', section: '/', share: 4 },
  { turn: 'serving', section: '/loans', share: 4 },
  { turn: 'node', section: '/loans', share: 5 },
  { turn: 'node', section: '/loans', act: 'Repay', share: 2 },
  { turn: 'node', section: '/loans', act: 'Add collateral', share: 2 },
  { turn: 'node', section: '/loans', act: 'Close now', share: 2 },
  { turn: 'node', section: '/loans', act: 'Pay for its rescues', share: 2 },
  { turn: 'node', section: '/plans', share: 4 },
  { turn: 'node', section: '/portfolio', share: 3 },
  { turn: 'node', section: '/', share: 5 },
  { turn: 'chain', section: '/loans', share: 4 },
  { turn: 'chain', section: '/plans', share: 2 },
  { turn: 'chain', section: '/', share: 4 },
  { turn: 'server', section: 'config', share: 4 },
] as const satisfies readonly {
  readonly turn: Turn;
  readonly section: string;
  readonly side?: Side;
  readonly act?: LoanAct;
  readonly share: number;
}[];

const emptyTally = (): Tally => ({
  ...{ rounds: 0, changed: 0, refused: 0, honest: nothingSaid(), hostile: nothingSaid(), violations: [] },
});

/**
 * @param total number of answers, each from its own seed, counting up from `seed`.
 * @param pages this page's index and the number of pages, which share the parts; by default this page plays all.
 */
export async function playRounds(
  given: Rounds,
  total: number,
  seed: number,
  { page: own, of }: { readonly page: number; readonly of: number } = { page: 0, of: 1 },
): Promise<Tally> {
  const tally = emptyTally();
  let next = seed;
  for (let done = 0; done < total; done += A_LOAD) {
    const page = await openHostile(given, tally);
    const load = Math.min(A_LOAD, total - done);
    let shares = 0;
    for (const [at, { turn, section, share, ...part }] of parts.entries()) {
      // Rounds the running sum, so that the counts add up to the total.
      const before = Math.round((shares * load) / 100);
      shares += share;
      if (at % of !== own) continue;
      const count = Math.round((shares * load) / 100) - before;
      if (section === 'config') await configRounds(given, page, tally, next, count);
      else await sectionRounds(given, page, tally, { turn, section, count, seed: next, ...part });
      next += count;
      if (section === '/trade') await reloaded(given, page);
    }
    await page.context().close();
    given.report?.(tally);
  }
  return tally;
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const { rounds, changed, refused, honest, hostile, violations } of tallies) {
    sum.rounds += rounds;
    sum.changed += changed;
    sum.refused += refused;
    addTo(sum.honest, honest);
    addTo(sum.hostile, hostile);
    sum.violations.push(...violations);
  }
  return sum;
}

function addTo(sum: Said, more: Said): void {
  for (const name of Object.keys(sum) as (keyof Said)[]) sum[name] += more[name];
}

async function openHostile({ browser, place, honest, owner, rpcUrl, blockTime }: Rounds, tally: Tally): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => tally.violations.push(`the page threw: ${message}`));
  const setup = { owner, chainId: toHex(honest.config.chainId), rpcUrl, startMs: Number(blockTime) * 1_000 };
  await page.addInitScript(`globalThis.bowlineHostileSetup = ${JSON.stringify(setup)};`);
  await page.addInitScript({ content: readFileSync(fileURLToPath(new URL('in-page.js', import.meta.url)), 'utf8') });
  place.change('agent', undefined);
  place.begin();
  await page.goto(`${place.url}/portfolio`);
  // The wallet already knows the page, so it connects by itself.
  await page.getByRole('button', { name: 'Stop everything' }).waitFor();
  return page;
}

/** Reloads the page, so that an order's late wallet requests do not count in the next section. */
async function reloaded({ place }: Rounds, page: Page): Promise<void> {
  place.change('server', undefined);
  place.begin();
  await page.reload();
  await page.evaluate(`bowlineHostile('settle')`);
}

interface Group {
  readonly turn: Turn;
  readonly section: string;
  readonly side?: Side;
  readonly act?: LoanAct;
  readonly count: number;
  readonly seed: number;
}

/** What the page must be able to say on honest answers, by section. It may need another look. */
const saidHonestly: Readonly<Record<string, readonly (keyof Said)[]>> = {
  '/trade': ['offered', 'fair', 'bought'],
  '/portfolio': ['fair'],
  '/loans': ['guarded'],
  '/plans': ['approved'],
  '/': ['funded', 'calm'],
};
/** Most looks until an honest answer is complete, as the page backs off after a failed reading; and their spacing. */
const MAX_TRIES = 50;
const PAUSE_MS = 200;
const RETRIES_MS = 1_500;
const MAX_WAITS = 50;
/** viem's default maximum of attempts. Until then, a call may still be answered. */
const TRIES = 4;

async function sectionRounds(
  given: Rounds,
  page: Page,
  tally: Tally,
  { turn, section, side, act, count, seed }: Group,
) {
  const { place, honest, owner, neighbour, blockTime } = given;
  const { wallet } = place;
  const isPaying = act === 'Pay for its rescues';
  let usual: ReturnType<typeof usualOf> | undefined;
  place.change(turn, undefined, side);
  await page.evaluate(`bowlineHostile('open', '${section}')`);
  for (let at = 0; at < count; at++) {
    // The first round of a section is honest: the page must be able to offer. With the wallet's turn, also the second.
    const isHonest = at === 0 || (turn === 'wallet' && at === 1);
    const random = isHonest ? undefined : randomOf(seed + at);
    place.change(turn, random, side);
    const isSigned = isHonest || (turn !== 'node' && (seed + at) % SIGNED_EACH === 0);
    const signing = isSigned ? (at === 1 ? 'lists' : 'signs') : 'declines';
    // A payer's consent is requested only once its approval is on the chain.
    wallet.behave(isPaying ? 'signs' : act ? 'looks' : turn === 'wallet' && random ? random : signing);
    // Only the stop button's panel reads what is still approved.
    const doing = act
      ? `'${isPaying ? 'fund' : 'loan'}', '${act}', '${LOAN_ACTS[act]}', '${neighbour}'`
      : side
        ? `'trade', '${side}', '${TYPED[side]}'`
        : section === '/plans'
          ? `'approvals'`
          : `'look'`;
    const look = async () => {
      const looks = Number(await page.evaluate('bowlineLooks()')) + (side ? 0 : 1);
      place.date(looks * LOOK_SECONDS);
      place.node.told();
      wallet.asked();
      let seen = (await page.evaluate(`bowlineHostile(${doing})`)) as Seen;
      if (turn === 'chain' && !isHonest) {
        // The page retries a refused connection for a second before it counts; on a busy machine, for longer.
        await page.waitForTimeout(RETRIES_MS);
        for (let waits = 0; place.node.refusals() < TRIES && waits < MAX_WAITS; waits++) {
          await page.waitForTimeout(PAUSE_MS);
        }
        seen = (await page.evaluate(`bowlineHostile('settle')`)) as Seen;
      }
      const now = blockTime + BigInt(looks * LOOK_SECONDS);
      return { seen, sent: wallet.asked(), told: place.node.told(), now, latest: place.latest() };
    };
    let round = await look();
    const isWhole = () =>
      (act ? (['offered'] as const) : (saidHonestly[section] ?? [])).every(
        (name) => saidIn(round.seen, round.sent)[name] > 0,
      );
    for (let tries = 1; isHonest && !isWhole() && tries < MAX_TRIES; tries++) {
      await page.waitForTimeout(PAUSE_MS);
      round = await look();
    }
    const complain = complainer(tally, `${turn} ${section} seed ${isHonest ? 'none' : seed + at}`);
    if (isHonest) usual = usualOf(round.told);
    if (isHonest && !isWhole()) complain('an honest answer is not shown as such');
    const isFrozen = turn === 'chain' && !isHonest;
    judge({ place, honest, owner, neighbour, side, act, isFrozen, complain, usual, ...round });
    tally.rounds++;
    if (!isHonest) tally.changed++;
    if (round.seen.saysUnsound) tally.refused++;
    addTo(isHonest ? tally.honest : tally.hostile, saidIn(round.seen, round.sent));
  }
}

const complainer =
  ({ violations }: Tally, where: string) =>
  (what: string): void => {
    if (violations.length < 20) violations.push(`${where}: ${what}`);
  };

/** The server names a different chain, node, contract or token: the page then shows the stop button and no section. */
async function configRounds({ place, honest }: Rounds, page: Page, tally: Tally, seed: number, count: number) {
  let isRefusing = false;
  for (let at = 0; at < count; at++) {
    place.change('server', randomOf(seed + at));
    place.wallet.asked();
    if (isRefusing) await page.evaluate(`bowlineHostile('again')`);
    else await page.reload();
    const seen = (await page.evaluate(`bowlineHostile('settle')`)) as Seen;
    const complain = complainer(tally, `server config seed ${seed + at}`);
    tally.rounds++;
    tally.changed++;
    judgeFrame({ seen, complain });
    if (seen.saysBought) complain('it says that something was bought');
    if (place.wallet.asked().length > 0) complain('the wallet was asked for something');
    isRefusing = !seen.hasSections;
    if (seen.hasSections && !isAllowed(place.given().config, honest.config)) complain('it took another configuration');
    else if (isRefusing) tally.refused++;
  }
}

/** The server may list fewer assets. */
function isAllowed(told: unknown, pinned: PageConfig): boolean {
  const listed = (told as PageConfig).assets;
  const all = pinned.assets.map((asset) => JSON.stringify(asset));
  const isSubset = Array.isArray(listed) && listed.every((asset) => all.includes(JSON.stringify(asset)));
  return isSubset && JSON.stringify({ ...(told as object), assets: [] }) === JSON.stringify({ ...pinned, assets: [] });
}
