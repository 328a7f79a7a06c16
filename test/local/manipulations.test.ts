import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectChain } from '@bowline/chain/chain-client';
import { hashing } from '@bowline/chain/hashing';
import { createMarketReader } from '@bowline/chain/market-reader';
import { judgedAgain } from '@bowline/core/audit/evidence';
import { type Asset, isTraded, type TradedAsset } from '@bowline/core/domain/assets';
import { canonicalJson } from '@bowline/core/domain/evidence';
import type { ChainFacts, Reference } from '@bowline/core/domain/facts';
import type { Address, Hex } from '@bowline/core/domain/units';
import { checkUpdate, referenceOf } from '@bowline/core/pyth/check';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { pythFeedOf, pythSignersOf } from '@bowline/core/registry/pyth';
import { evidenceDocument } from '@bowline/core/replay/evidence';
import type { Line } from '@bowline/core/replay/line';
import { replay, served } from '@bowline/core/replay/replay';
import { timers } from '@bowline/http/clock';
import { isAddress, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTicketSigner } from '../../agent/src/process/ticket-signer.ts';
import { ask, world } from '../../agent/test/tools/world.ts';
import { chainFactLines } from '../../cli/replay/chain-facts.ts';
import { signerLines } from '../../cli/replay/signer.ts';
import { connect } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { type PriceToSign, type Signing, signUpdate } from '../../lab/world/market/guardians.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { refuse, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { alice } from './accounts.ts';
import { run } from './commands.ts';

// RP-1: what can be changed in a served verdict, and by whom. A line that differs is a change that was found.

const registry: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const [own, stranger] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key));
const feed = pythFeedOf('BTCB') as Hex;
const quoteFeed = pythFeedOf('USDT') as Hex;
const assets = readAssetRegistry(localChainId, isAddress);
const assetOf = (symbol: string): Asset => assets.find((asset) => asset.symbol === symbol) as Asset;

let local: LocalChain;
let folder: string;
let facts: ChainFacts;
let answer: Answer;
beforeAll(async () => {
  local = await startLocalChain();
  folder = mkdtempSync(join(tmpdir(), 'manipulations-'));
  const record = { chainId: localChainId, planRegistry: registry, verdictSigners: [own?.address] };
  writeFileSync(join(folder, 'deployment.json'), JSON.stringify(record));
  const reader = createMarketReader(connectChain(local.url), othersAddresses(isAddress, localChainId), timers);
  const [asset, quoteAsset] = [assetOf('BTCB') as TradedAsset, assetOf('USDT')];
  expect(isTraded(asset)).toBe(true);
  facts = await reader.facts(asset, quoteAsset, 'buy', { usdWad: parseEther('1000') });
  answer = await servedTo({});
  // The chain moves on with another price: its facts are no longer those of the answer.
  const chain = connect(local.url);
  await setPrice(chain, alice, 'BTCB', 101_000_00000000n);
  const now = await reader.facts(asset, quoteAsset, 'buy', { usdWad: parseEther('1000') });
  expect(now.chainlink?.usdWad).toBe(parseEther('101000'));
});
afterAll(async () => {
  await local?.stop();
  rmSync(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, in which anything is changed.
type Answer = Record<string, any>;

const priced = (changes: Partial<PriceToSign> = {}): PriceToSign => ({
  ...{ id: feed.slice(2), price: 100_000_00000000n, conf: 30_00000000n, expo: -8 },
  publishTime: Number(facts.block.timestamp) - 2,
  ...changes,
});

/** The reference that the agent makes from a signed update. */
async function signed(changes: Partial<PriceToSign> = {}, signing: Signing = {}): Promise<Reference> {
  const id: Hex = `0x${changes.id ?? feed.slice(2)}`;
  const update = await signUpdate([priced(changes)], signing);
  const { price } = await checkUpdate(update, id, pythSignersOf(localChainId), hashing);
  return { ...referenceOf(price), signed: `0x${update}` };
}

const signedQuote = () => signed({ id: quoteFeed.slice(2), price: 1_00000000n, conf: 1_000n });

/** The agent's answer to these facts, consistent in itself and signed. Default: by the deployment's own key. */
async function servedTo(
  {
    pyth,
    quotePyth,
    assets: listed = assets,
    ...changes
  }: Partial<ChainFacts> & { pyth?: Reference; quotePyth?: Reference; assets?: readonly Asset[] },
  { account = own, chainId = localChainId, planRegistry = registry } = {},
): Promise<Answer> {
  if (account === undefined) throw new Error('no account');
  const [reference, ofQuote] = [pyth ?? (await signed()), quotePyth ?? (await signedQuote())];
  const [now, offset] = [facts.block.timestamp, facts.block.timestamp - world.clock()];
  const { exchange } = world;
  if (exchange === undefined) throw new Error('no exchange');
  const context = {
    ...world,
    assets: listed,
    clock: () => now,
    exchange: {
      bookTicker: async (pair: string) => ({ ...(await exchange.bookTicker(pair)), answeredAt: now }),
      candles: async (...question: Parameters<typeof exchange.candles>) => {
        const { candles } = await exchange.candles(...question);
        const moved = candles.map((each) => ({ ...each, openedAt: each.openedAt + offset }));
        return { candles: moved, answeredAt: now };
      },
    },
    pyth: { price: async (id: Hex) => (id === quoteFeed ? ofQuote : reference) },
    tickets: createTicketSigner(account, chainId, planRegistry),
    chain: { ...world.chain, facts: async () => ({ ...facts, ...changes }) },
  };
  return JSON.parse(JSON.stringify(await ask('check_asset', { asset: 'BTCB' }, context)));
}

/** What a replay finds: the lines that differ. */
async function found(given: Answer): Promise<string[]> {
  return (await linesOf(given)).filter((line) => line.said !== line.found).map(({ what }) => what);
}

async function linesOf(given: Answer, rpc?: string): Promise<Line[]> {
  const parsed = served.parse(given);
  const lines = [
    ...(await replay(parsed, hashing)),
    ...(parsed.ticket === null ? [] : signerLines(parsed.ticket, join(folder, 'deployment.json'))),
  ];
  if (rpc === undefined) return lines;
  const { proposal } = evidenceDocument.parse(JSON.parse(given.evidence));
  return [...lines, ...(await chainFactLines(rpc, proposal))];
}

const foundOnChain = async (given: Answer) =>
  (await linesOf(given, local.url)).filter((line) => line.said !== line.found).map(({ what }) => what);

/** The answer with its evidence changed, in canonical JSON. */
function withEvidence(change: (evidence: Answer) => void): Answer {
  const evidence = JSON.parse(answer.evidence);
  change(evidence);
  return { ...answer, evidence: canonicalJson(evidence) };
}

const traded = () => ({ tokenIn: assetOf('USDT').address, tokenOut: assetOf('BTCB').address });

const withTicket = (changes: Answer): Answer => ({ ...answer, ticket: { ...answer.ticket, ...changes } });
const flipped = (hex: string, at = 40): string => {
  const digit = Number.parseInt(hex.charAt(at), 16) ^ 1;
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}`;
};

it('an honest verdict is found to be one, by the chain too', async () => {
  expect(answer.verdict).toBe('GO');
  const lines = await linesOf(answer, local.url);
  expect(lines.filter((line) => line.said !== line.found)).toEqual([]);
  expect(lines.filter(({ unchecked }) => unchecked !== undefined).map(({ what }) => what)).toEqual([
    'finalBlock on chain',
  ]);
  expect(lines.map(({ what }) => what)).toContain(
    "Pyth's signed price, of guardian set 31337 (the local market's own guardians)",
  );
});

// Changes by a carrier of the answer, who has no key.
const carried: [string, () => Answer][] = [
  ['the verdict of the answer', () => ({ ...answer, verdict: 'CAUTION' })],
  ['its reason', () => ({ ...answer, reason: 'price_jumped' })],
  [
    'the sentence of a finding',
    () => ({ ...answer, findings: answer.findings.with(0, { ...answer.findings[0], detail: 'All is well.' }) }),
  ],
  ['a finding less', () => ({ ...answer, findings: answer.findings.slice(1) })],
  ['the amount to pay', () => ({ ...answer, pay: { ...answer.pay, amount: '1' } })],
  ['the amount to receive', () => ({ ...answer, receive: { ...answer.receive, amount: '1' } })],
  ['the reference price', () => ({ ...answer, reference_usd: '100001.00' })],
  ['the token paid', () => withTicket({ token_in: answer.ticket.token_out })],
  ['the token bought', () => withTicket({ token_out: answer.ticket.token_in })],
  ['the verdict of the ticket', () => withTicket({ verdict: 2 })],
  ['the highest price', () => withTicket({ max_price_wad: `${BigInt(answer.ticket.max_price_wad) + 1n}` })],
  ['the highest amount', () => withTicket({ max_amount_in: `${BigInt(answer.ticket.max_amount_in) + 1n}` })],
  ['the time of issue', () => withTicket({ issued_at: `${Number(answer.ticket.issued_at) + 1}` })],
  ['the expiry', () => withTicket({ expires_at: `${Number(answer.ticket.expires_at) + 1}` })],
  ['the hash of the evidence', () => withTicket({ evidence_hash: flipped(answer.ticket.evidence_hash) })],
  ['the signer', () => withTicket({ signer: stranger?.address })],
  ['a bit of the signature', () => withTicket({ signature: flipped(answer.ticket.signature) })],
  ['the chain of the signature', () => withTicket({ domain: { ...answer.ticket.domain, chain_id: 56 } })],
  [
    'the registry of the signature',
    () => withTicket({ domain: { ...answer.ticket.domain, verifying_contract: stranger?.address } }),
  ],
  [
    'one close of the history',
    () =>
      withEvidence(({ proposal }) => {
        proposal.history.closesWad[100] = `${BigInt(proposal.history.closesWad[100]) + 1n}`;
      }),
  ],
  [
    'one wei of the pool price',
    () =>
      withEvidence(({ proposal }) => {
        proposal.chain.spotWad = `${BigInt(proposal.chain.spotWad) + 1n}`;
      }),
  ],
  [
    'a limit',
    () =>
      withEvidence(({ proposal }) => {
        proposal.limits.costBps.noGo = '500';
      }),
  ],
  [
    "Pyth's price",
    () =>
      withEvidence(({ proposal }) => {
        proposal.pyth.usdWad = `${BigInt(proposal.pyth.usdWad) + 1n}`;
      }),
  ],
  [
    "a bit of Pyth's signed bytes",
    () =>
      withEvidence(({ proposal }) => {
        proposal.pyth.signed = flipped(proposal.pyth.signed, 100);
      }),
  ],
  [
    "Pyth's signed bytes left out",
    () =>
      withEvidence(({ proposal }) => {
        delete proposal.pyth.signed;
      }),
  ],
  [
    'the spelling of the evidence',
    () => ({ ...answer, evidence: JSON.stringify(JSON.parse(answer.evidence), null, 1) }),
  ],
];

describe('changed on the way', () => {
  it.each(carried)('%s', async (_, change) => {
    expect(await found(change())).not.toEqual([]);
  });
});

// Changes by the holder of the key that the deployment names. The answer is made again and follows from its evidence.
const pythLine = "Pyth's signed price";
const inside: [string, () => Promise<Answer>, string][] = [
  [
    'a price of Pyth beside the bytes of another',
    async () => servedTo({ pyth: { ...(await signed()), usdWad: parseEther('99990') } }),
    pythLine,
  ],
  [
    'a confidence beside the bytes of another',
    async () => servedTo({ pyth: { ...(await signed()), confidenceWad: 1n } }),
    pythLine,
  ],
  [
    'a price of Pyth without bytes',
    async () => {
      const { signed: _, ...bare } = await signed();
      return servedTo({ pyth: bare });
    },
    pythLine,
  ],
  ['the signed bytes of another feed', async () => servedTo({ pyth: await signed({ id: 'ab'.repeat(32) }) }), pythLine],
  [
    'an older update as a new one',
    async () =>
      servedTo({ pyth: { ...(await signed({ publishTime: 1_700_000_000 })), updatedAt: facts.block.timestamp } }),
    pythLine,
  ],
  [
    'a bit of the bytes',
    async () => {
      const { signed: bytes = '0x', ...rest } = await signed();
      return servedTo({ pyth: { ...rest, signed: flipped(bytes, 300) as Hex } });
    },
    pythLine,
  ],
  ['guardians before those that are named', async () => forged({ guardianSet: 31_336 }), pythLine],
  ['guardians of its own', async () => forged({ keys: Array(3).fill(generatePrivateKey()) }), pythLine],
  ['two of four guardians', async () => forged({ by: [0, 1] }), pythLine],
  ['another emitter', async () => forged({ emitterAddress: `0x${'12'.repeat(32)}` }), pythLine],
  [
    'a price of the quote token beside the bytes of another',
    async () => servedTo({ quotePyth: { ...(await signedQuote()), usdWad: parseEther('1.001') } }),
    `${pythLine} of USDT`,
  ],
  [
    "the asset's signed bytes as the quote token's",
    async () => servedTo({ quotePyth: { ...(await signedQuote()), ...{ signed: (await signed()).signed as Hex } } }),
    `${pythLine} of USDT`,
  ],
  ['the local guardians, for BNB Chain', async () => servedTo({}, { chainId: 56 }), pythLine],
];

/** A price that these guardians have signed. */
async function forged(signing: Signing): Promise<Answer> {
  return servedTo({ pyth: { ...(await signed()), signed: `0x${await signUpdate([priced()], signing)}` } });
}

describe('made by the holder of the key', () => {
  it.each(inside)('%s, which an audit of its record finds, too', async (_, make, what) => {
    const made = await make();
    expect(await found(made)).toContainEqual(expect.stringContaining(what));
    const judged = await judgedAgain(traded(), made.evidence, { hashing, chainId: made.ticket.domain.chain_id });
    expect(judged).toMatchObject({
      ...{ outcome: 'judged', differing: expect.arrayContaining([expect.stringContaining(what)]) },
    });
  });

  it('RP-13: guardians whom nobody names yet: it says that they are not checked', async () => {
    const lines = await linesOf(await forged({ guardianSet: 31_338 }));
    const unchecked = 'The registry names no guardians of set 31338, so the signatures are not checked.';
    expect(lines).toContainEqual(expect.objectContaining({ what: pythLine, unchecked }));
    const { evidence } = await forged({ guardianSet: 31_338 });
    expect(await judgedAgain(traded(), evidence, { hashing, chainId: localChainId })).toMatchObject({
      ...{ differing: [], unchecked: [unchecked] },
    });
  });

  // The evidence alone cannot show this; only the chain can.
  it.each<[string, () => Partial<ChainFacts>, string]>([
    ['one wei of the pool price', () => ({ spotWad: (facts.spotWad ?? 0n) + 1n }), 'spotWad on chain'],
    ['one wei of its mean', () => ({ twapWad: (facts.twapWad ?? 0n) - 1n }), 'twapWad on chain'],
    [
      'a feed without an answer before',
      () => ({ chainlinkBeforeWad: parseEther('100001') }),
      'chainlinkBeforeWad on chain',
    ],
    [
      'what the feed said hours ago',
      () => ({
        chainlinkPast: [1n, 2n].map((hours) => ({ usdWad: 1n, updatedAt: facts.block.timestamp - hours * 3_600n })),
      }),
      'chainlinkPast on chain',
    ],
    ['another fork', () => ({ block: { ...facts.block, parentHash: `0x${'12'.repeat(32)}` } }), 'block on chain'],
  ])('%s, which only the chain tells', async (_, changes, what) => {
    const made = await servedTo(changes());
    expect(await found(made)).toEqual([]);
    expect(await foundOnChain(made)).toEqual([what]);
  });

  it('a pool of their own, which only the registry tells', async () => {
    const BTCB = assetOf('BTCB') as TradedAsset;
    const elsewhere = { ...BTCB, pool: { ...BTCB.pool, address: registry } };
    const made = await servedTo({ assets: assets.map((asset) => (asset.symbol === 'BTCB' ? elsewhere : asset)) });
    expect(await found(made)).toEqual([]);
    expect(await foundOnChain(made)).toEqual(['asset in the registry']);
  });
});

describe('made by a stranger', () => {
  it('signed by whom the deployment does not name', async () => {
    expect(await found(await servedTo({}, { account: stranger }))).toEqual(["signer of the deployment's verdicts"]);
  });

  it('for another registry', async () => {
    const planRegistry = stranger?.address ?? registry;
    expect(await found(await servedTo({}, { planRegistry }))).toEqual(['registry of the deployment']);
  });
});

describe('npx bowline replay', () => {
  const command = (given: Answer, ...options: string[]) => {
    const file = join(folder, 'answer.json');
    writeFileSync(file, JSON.stringify(given));
    return run('../../cli/main.ts', ['replay', file, '--deployment', join(folder, 'deployment.json'), ...options]);
  };

  it('RP-15: reads the chain again with --rpc, and says so', async () => {
    const honest = command(answer, '--rpc', local.url);
    expect([await honest.exit, honest.printed.err]).toEqual([0, '']);
    expect(honest.printed.out).toContain(
      '\nThe verdict follows from its evidence, and the evidence matches the chain. Not checked: 1.\n',
    );
    const lie = command(await servedTo({ spotWad: (facts.spotWad ?? 0n) + 1n }), '--rpc', local.url);
    expect([await lie.exit, lie.printed.err]).toEqual([1, '']);
    expect(lie.printed.out).toContain('DIFFERS  spotWad on chain');
  });
});

it('RP-15: says if the node does not have the block', async () => {
  const number = facts.block.number + 1_000n;
  const later = await servedTo({ block: { ...facts.block, number } });
  await expect(foundOnChain(later)).rejects.toThrow(`The node does not have block ${number}.`);
});

it('RP-15: says if the node has forgotten the state of the block', async () => {
  const proxy = await startRpcProxy(local.url);
  try {
    proxy.tell = ({ method }, told) => void (method === 'eth_call' && refuse(told, -32_000, 'missing trie node'));
    await expect(linesOf(answer, proxy.url)).rejects.toThrow('it has probably pruned the state of that block.');
  } finally {
    await proxy.stop();
  }
});

it('RP-15: says if nobody names the signer', () => {
  const { ticket } = served.parse(answer);
  if (ticket === null) throw new Error('no ticket');
  const path = join(folder, 'nobody.json');
  writeFileSync(path, JSON.stringify({ chainId: localChainId, planRegistry: registry }));
  expect(signerLines(ticket, path).at(-1)?.unchecked).toBe(`${path} names no signer of verdicts.`);
  const elsewhere = signerLines({ ...ticket, domain: { ...ticket.domain, chain_id: 56_056 } });
  for (const { unchecked } of elsewhere)
    expect(unchecked).toContain('There is no deployment record script/deployments/56056.json');
});
