import { connectChain } from '@bowline/chain/chain-client';
import type { Payment } from '@bowline/core/domain/payment';
import { success } from '@bowline/core/domain/result';
import { callerNow } from '@bowline/http/caller';
import { createLimit } from '@bowline/http/rate-limit';
import type { FacilitatorClient } from '@x402/core/server';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme, permit2WitnessTypes, x402ExactPermit2ProxyABI, x402ExactPermit2ProxyAddress } from '@x402/evm';
import { ExactEvmScheme as ExactServerScheme } from '@x402/evm/exact/server';
import { x402Client } from '@x402/fetch';
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../../lab/world/abis.ts';
import { tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { serveFacilitator } from '../../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { placePermit2 } from '../../../lab/world/permit2.ts';
import { treasurer } from '../../../lab/world/replica.ts';
import { refuse, startRpcProxy } from '../../../packages/chain/test/rpc-proxy.ts';
import { createCredits } from '../../src/payments/credit.ts';
import { openEntries } from '../../src/payments/entries.ts';
import { x402Facilitator } from '../../src/payments/facilitators.ts';
import type { Outcome } from '../../src/payments/outcome.ts';
import { createPaymentProof } from '../../src/payments/payment-proof.ts';
import { createPaymentRail } from '../../src/payments/payment-rail.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import { permit2 } from '../../src/payments/permit2-check.ts';
import { inWords } from '../../src/payments/question.ts';
import { createTill } from '../../src/payments/till.ts';
import { keepLog } from '../api/log.ts';
import { newFolder } from '../folder.ts';

// Permit2's own code, the standard's facilitator and client, and USDT, which has no EIP-3009. The contract that has Permit2
// move the token is a stand-in.

const network = `eip155:${localChainId}` as const;
const usdt = tokens.USDT;
const payee: Address = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
const stranger: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const amount = 20_000_000_000_000_000n;
const resource = { url: 'http://localhost/x402', description: 'One answer' };
const permit2Abi = parseAbi([
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
  'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) details, address owner, bytes signature)',
]);

let local: LocalChain;
let chain: Chain;
let facilitator: Awaited<ReturnType<typeof serveFacilitator>>;

beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  await placePermit2(chain);
  facilitator = await serveFacilitator(local.url, 0);
}, 120_000);

afterAll(async () => {
  await facilitator?.stop();
  await local?.stop();
});

const held = (owner: Address) =>
  chain.readContract({ address: usdt, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

/** A payer with USDT for five answers, approved to Permit2 unless that is said. */
async function newPayer({ approved = 5n * amount, funds = 5n * amount } = {}): Promise<PrivateKeyAccount> {
  const payer = privateKeyToAccount(generatePrivateKey());
  await chain.impersonateAccount({ address: payer.address });
  await chain.setBalance({ address: payer.address, value: 10n ** 18n });
  await chain.send(treasurer, usdt, { abi: erc20Abi, functionName: 'transfer', args: [payer.address, funds] });
  await chain.send(payer.address, usdt, { abi: erc20Abi, functionName: 'approve', args: [permit2, approved] });
  return payer;
}

/** A till that takes USDT, over a facilitator in front of which `settle` may stand. */
async function open({
  url = local.url,
  nodes = [local.url, local.url],
  settle = undefined as ((honest: FacilitatorClient['settle']) => FacilitatorClient['settle']) | undefined,
  folder = undefined as URL | undefined,
} = {}) {
  const kept = folder ?? (await newFolder());
  const { facilitator: real, scheme } = x402Facilitator(facilitator.url, { timeoutMs: 10_000 });
  let settlements = 0;
  const log = keepLog();
  const store = await openPaymentStore(kept, (name) => {
    throw new Error(`${name} cannot be read`);
  });
  const proof = createPaymentProof(
    connectChain(url),
    nodes.map((each) => connectChain(each)),
    store.claim,
  );
  const rail = createPaymentRail({
    offers: [
      { network, method: 'permit2', asset: usdt, amount, payTo: payee, token: { name: 'Tether USD', version: '1' } },
    ],
    resource,
    facilitator: {
      verify: (...asked) => real.verify(...asked),
      getSupported: () => real.getSupported(),
      settle: (...asked) => {
        settlements += 1;
        return (settle?.((...given) => real.settle(...given)) ?? real.settle.bind(real))(...asked);
      },
    },
    scheme,
    takesWallet: () => true,
    admitWallet: () => true,
    proof,
    callerNow,
    clock: () => BigInt(Math.floor(Date.now() / 1_000)),
    lookMs: 2_000,
    pollMs: 20,
    resubmitMs: 0,
    log,
  });
  const entries = await openEntries(store, ({ payment, progress }) => rail.resume(payment, progress));
  const till = createTill({
    rail,
    entries,
    work: async (ask) => success({ text: `an answer to ${JSON.stringify(ask)}` }),
    signCredit: createCredits(privateKeyToAccount(generatePrivateKey()), localChainId, () => 1n),
    timers: { now: () => performance.now(), after: () => () => {} },
    log,
  });
  const limit = createLimit({ name: 'x402', requests: 200, seconds: 60 }, () => performance.now());
  const send = (payload: unknown, prompt = 'hello') =>
    till.serve({ payload, question: inWords(prompt), resource, limit });
  const read = (payload: unknown): Payment => {
    const payment = rail.read(payload);
    if (typeof payment === 'string') throw new Error(payment);
    return payment;
  };
  return { send, ask: () => rail.ask(resource), read, proof, folder: kept, settlements: () => settlements };
}

test('PY-15: a token that the facilitator does not take is left out alone, and nothing is paid in it', async () => {
  const { facilitator: real } = x402Facilitator(facilitator.url, { timeoutMs: 10_000 });
  class Choosy extends ExactServerScheme {
    override async enhancePaymentRequirements(...asked: Parameters<ExactServerScheme['enhancePaymentRequirements']>) {
      if (asked[0].asset === tokens.USDC) throw new Error('not this one');
      return super.enhancePaymentRequirements(...asked);
    }
  }
  const offer = {
    network,
    method: 'permit2',
    amount,
    payTo: payee,
    token: { name: 'A dollar', version: '1' },
  } as const;
  const log = keepLog();
  const railOf = (...assets: Address[]) =>
    createPaymentRail({
      offers: assets.map((asset) => ({ ...offer, asset })),
      resource,
      facilitator: real,
      scheme: new Choosy(),
      takesWallet: () => false,
      admitWallet: () => true,
      proof: createPaymentProof(connectChain(local.url), [], async () => true),
      callerNow,
      clock: () => 0n,
      lookMs: 0,
      pollMs: 0,
      resubmitMs: 0,
      log,
    });
  const rail = railOf(tokens.USDC, usdt);
  expect(await rail.ask(resource)).toMatchObject({ accepts: [{ asset: usdt }] });
  expect(log.lines.join()).toContain(`"payment.token_off","asset":"${tokens.USDC}"`);
  const [accepted] = (await rail.ask(resource)).accepts as [object];
  const payload = await sign(await newPayer(), { ...accepted, asset: tokens.USDC }, { token: tokens.USDC });
  const payment = rail.read(payload);
  expect(typeof payment === 'string' ? payment : await rail.check(payment, payload)).toBe('other_terms');
  await expect(railOf(tokens.USDC).ask(resource)).rejects.toMatchObject({ code: 'payment_unavailable' });
});

type Permit = Readonly<Record<'nonce' | 'deadline' | 'validAfter' | 'amount', bigint>> & {
  readonly token: Address;
  readonly spender: Address;
  readonly to: Address;
};

let nonces = 1_000n;
const inAMinute = () => BigInt(Math.floor(Date.now() / 1_000)) + 60n;

/** A payment by Permit2 with whatever terms, signed as they are. */
async function sign(
  payer: PrivateKeyAccount,
  accepted: unknown,
  changes: Partial<Permit> = {},
  by: PrivateKeyAccount = payer,
): Promise<PaymentPayload> {
  nonces += 1n;
  const terms = { token: usdt, amount, spender: x402ExactPermit2ProxyAddress, to: payee };
  const {
    token,
    amount: value,
    spender,
    nonce,
    deadline,
    to,
    validAfter,
  } = {
    ...terms,
    nonce: nonces,
    deadline: inAMinute(),
    validAfter: 0n,
    ...changes,
  };
  const message = { permitted: { token, amount: value }, spender, nonce, deadline, witness: { to, validAfter } };
  const signature = await by.signTypedData({
    domain: { name: 'Permit2', chainId: localChainId, verifyingContract: permit2 },
    types: permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message,
  });
  const written = (_: string, each: unknown) => (typeof each === 'bigint' ? `${each}` : each);
  const permit2Authorization = { ...JSON.parse(JSON.stringify(message, written)), from: payer.address };
  return { x402Version: 2, accepted, payload: { signature, permit2Authorization } } as PaymentPayload;
}

const termsOf = async (till: Awaited<ReturnType<typeof open>>) => ((await till.ask()).accepts as unknown[])[0];
const reasonOf = (outcome: Outcome) => ('reason' in outcome ? outcome.reason : outcome.state);
const invalidate = (payer: PrivateKeyAccount, nonce: bigint) =>
  chain.send(payer.address, permit2, {
    abi: permit2Abi,
    functionName: 'invalidateUnorderedNonces',
    args: [nonce >> 8n, 1n << (nonce & 255n)],
  });

test('AG-210, PY-15: USDT pays by Permit2, with the standard client: one transfer, one answer, in whatever encoding it comes', async () => {
  const till = await open();
  const payer = await newPayer();
  const before = await held(payee);
  const client = new x402Client()
    .register(network, new ExactEvmScheme(payer))
    .setSpendControls({ allowedAssets: [{ network, asset: usdt }] });
  const payload = await client.createPaymentPayload((await till.ask()) as unknown as PaymentRequired);
  const first = await till.send(payload);
  expect(first).toMatchObject({ state: 'answered', receipt: { success: true, payer: payer.address, network } });
  const { permit2Authorization, signature } = payload.payload as {
    permit2Authorization: { from: string; nonce: string; permitted: object };
    signature: string;
  };
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const encodings = [
    { ...permit2Authorization, nonce: `000${permit2Authorization.nonce}`.slice(-78) },
    { ...permit2Authorization, from: permit2Authorization.from.toLowerCase(), extra: 1 },
  ].map((again) => ({ ...payload, payload: { permit2Authorization: again, signature: upper(signature) } }));
  const answers = await Promise.all([payload, ...encodings].map((again) => till.send(again)));
  expect(answers).toEqual([first, first, first]);
  expect(await till.send(payload, 'another')).toMatchObject({ code: 'payment_used_for_another_prompt' });
  expect(till.settlements()).toBe(1);
  expect((await held(payee)) - before).toBe(amount);
  // After a restart, too.
  expect(await (await open({ folder: till.folder })).send(payload)).toEqual(first);
});

test('AG-211, PY-16: what is signed otherwise, used, not approved or not covered buys nothing, and says why', async () => {
  const till = await open();
  const accepted = await termsOf(till);
  const payer = await newPayer();
  const now = BigInt(Math.floor(Date.now() / 1_000));
  const before = await held(payee);
  const used = await sign(payer, accepted);
  await invalidate(payer, nonces);
  const unapproved = await newPayer({ approved: amount - 1n });
  const poor = await newPayer({ funds: amount - 1n });
  const thief = privateKeyToAccount(generatePrivateKey());
  const good = await sign(payer, accepted);
  const { permit2Authorization, signature } = good.payload as { permit2Authorization: object; signature: Hex };
  const changed = (changes: object) => ({ ...good, payload: { ...good.payload, ...changes } });
  const wrong: readonly [reason: string, payload: unknown][] = [
    ['other_spender', await sign(payer, accepted, { spender: stranger })],
    ['other_spender', await sign(payer, accepted, { spender: payee })],
    ['other_payee', await sign(payer, accepted, { to: stranger })],
    ['other_token', await sign(payer, accepted, { token: tokens.USDC })],
    ['other_amount', await sign(payer, accepted, { amount: amount - 1n })],
    ['other_amount', await sign(payer, accepted, { amount: amount + 1n })],
    ['other_amount', await sign(payer, accepted, { amount: 0n })],
    ['expired', await sign(payer, accepted, { deadline: now - 1n })],
    ['expired', await sign(payer, accepted, { deadline: now + 5n })],
    ['valid_too_long', await sign(payer, accepted, { deadline: now + 7_200n })],
    ['valid_too_long', await sign(payer, accepted, { deadline: 2n ** 256n - 1n })],
    ['not_valid_yet', await sign(payer, accepted, { validAfter: now + 300n })],
    ['bad_signature', await sign(payer, accepted, {}, thief)],
    ['bad_signature', changed({ permit2Authorization: { ...permit2Authorization, nonce: '7' } })],
    // Permit2 would take the short form: one payment has one signature here.
    ['bad_signature', changed({ signature: signature.slice(0, 130) })],
    ['already_used', used],
    ['not_approved', await sign(unapproved, accepted)],
    ['token_refuses', await sign(poor, accepted)],
    ['unreadable', changed({ permit2Authorization: { ...permit2Authorization, witness: undefined } })],
    ['unreadable', changed({ permit2Authorization: { ...permit2Authorization, nonce: '0x07' } })],
    ['unreadable', changed({ permit2Authorization: { ...permit2Authorization, nonce: `${2n ** 256n}` } })],
    ['unreadable', { ...good, payload: { authorization: permit2Authorization, signature } }],
    ['other_terms', { ...good, accepted: { ...(accepted as object), payTo: stranger } }],
    ['other_terms', { ...good, accepted: { ...(accepted as object), extra: { assetTransferMethod: 'eip3009' } } }],
    ['other_terms', { ...good, accepted: { ...(accepted as object), asset: tokens.USDC } }],
  ];
  for (const [reason, payload] of wrong) {
    const outcome = await till.send(payload);
    expect([reasonOf(outcome), outcome.state], JSON.stringify(payload)).toEqual([reason, 'refused']);
  }
  expect(till.settlements()).toBe(0);
  expect(await held(payee)).toBe(before);
});

/** A line to the node, whose newest block is told to be as late as that. */
async function lateNode() {
  const proxy = await startRpcProxy(local.url);
  onTestFinished(() => proxy.stop());
  const late = { proxy, url: proxy.url, seconds: 0, hides: [] as string[] };
  proxy.tell = ({ method, params }, answer) => {
    if (late.hides.includes(method)) answer.result = [];
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return;
    const block = answer.result as { timestamp: Hex };
    block.timestamp = numberToHex(BigInt(block.timestamp) + BigInt(late.seconds));
  };
  return late;
}

test('AG-212, PY-17: whatever the facilitator says, only a transfer to us while the nonce becomes used is a payment', async () => {
  let payer = await newPayer();
  const before = await held(payee);
  let during: (nonce: bigint) => Promise<unknown> = async () => {};
  let named: Hex = '0x';
  const late = await lateNode();
  const till = await open({
    url: late.url,
    settle: () => async (payload) => {
      const { nonce } = payload.payload.permit2Authorization as { nonce: string };
      await during(BigInt(nonce));
      return { success: true, transaction: named, network };
    },
  });
  const accepted = await termsOf(till);

  // Cancelled under way.
  during = (nonce) => invalidate(payer, nonce);
  expect(reasonOf(await till.send(await sign(payer, accepted)))).toBe('cancelled');

  // Paid before, by a transfer without a permit: the nonce is still unused, or is cancelled later.
  const gift = await chain.send(payer.address, usdt, {
    abi: erc20Abi,
    functionName: 'transfer',
    args: [payee, amount],
  });
  named = gift.transactionHash;
  during = async () => {};
  expect((await till.send(await sign(payer, accepted))).state).toBe('later');
  payer = await newPayer();
  during = (nonce) => invalidate(payer, nonce);
  expect(reasonOf(await till.send(await sign(payer, accepted)))).toBe('cancelled');

  // A transfer after the permit was made void is not that permit's.
  payer = await newPayer();
  during = async (nonce) => {
    await invalidate(payer, nonce);
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [payee, amount] } as const;
    named = (await chain.send(payer.address, usdt, transfer)).transactionHash;
  };
  expect(reasonOf(await till.send(await sign(payer, accepted)))).toBe('cancelled');

  // The nonce paid a stranger, under another permit.
  const elsewhere = async (nonce: bigint) => {
    const permitted = { token: usdt, amount: 1n };
    const deadline = inAMinute();
    const signature = await payer.signTypedData({
      domain: { name: 'Permit2', chainId: localChainId, verifyingContract: permit2 },
      types: {
        PermitTransferFrom: [
          { name: 'permitted', type: 'TokenPermissions' },
          { name: 'spender', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
        TokenPermissions: permit2WitnessTypes.TokenPermissions,
      },
      primaryType: 'PermitTransferFrom',
      message: { permitted, spender: stranger, nonce, deadline },
    });
    await chain.send(stranger, permit2, {
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [{ permitted, nonce, deadline }, { to: stranger, requestedAmount: 1n }, payer.address, signature],
    });
  };
  during = elsewhere;
  const robbed = await sign(payer, accepted);
  expect((await till.send(robbed)).state).toBe('later');
  await chain.mine({ blocks: 3 });
  expect((await till.send(robbed)).state).toBe('later');
  late.seconds = 600;
  expect(reasonOf(await till.send(robbed))).toBe('used_elsewhere');
  expect((await held(payee)) - before).toBe(2n * amount);
});

/** What the standard's spender is asked to do. */
function settleCall({ payload }: PaymentPayload) {
  const { permit2Authorization, signature } = payload as {
    permit2Authorization: Record<string, string> & {
      permitted: { token: Address; amount: string };
      witness: { to: Address; validAfter: string };
    };
    signature: Hex;
  };
  const { permitted, from, nonce, deadline, witness: bound } = permit2Authorization;
  return {
    to: x402ExactPermit2ProxyAddress,
    data: encodeFunctionData({
      abi: x402ExactPermit2ProxyABI,
      functionName: 'settle',
      args: [
        {
          permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
          nonce: BigInt(nonce ?? ''),
          deadline: BigInt(deadline ?? ''),
        },
        from as Address,
        { to: bound.to, validAfter: BigInt(bound.validAfter) },
        signature,
      ],
    }),
  };
}

test('AG-213, PY-18: one transfer proves one payment, though both nonces became used in its block, and after a restart', async () => {
  const till = await open();
  const accepted = await termsOf(till);
  const payer = await newPayer();
  const [paid, cancelled] = [await sign(payer, accepted), await sign(payer, accepted)];
  const since = await chain.getBlockNumber();
  await chain.setAutomine(false);
  onTestFinished(() => chain.setAutomine(true));
  const word = nonces >> 8n;
  const { to, data } = settleCall(paid);
  const hashes = [
    await chain.sendUnsignedTransaction({ from: stranger, to, data, gas: 1_000_000n }),
    await chain.sendUnsignedTransaction({
      from: payer.address,
      to: permit2,
      data: encodeFunctionData({
        abi: permit2Abi,
        functionName: 'invalidateUnorderedNonces',
        args: [word, 1n << (nonces & 255n)],
      }),
      gas: 1_000_000n,
    }),
  ];
  await chain.mine({ blocks: 1 });
  await chain.setAutomine(true);
  const receipts = await Promise.all(hashes.map((hash) => chain.receiptOf(hash)));
  expect(receipts.map(({ status }) => status)).toEqual(['success', 'success']);
  expect(receipts[0]?.blockNumber).toBe(receipts[1]?.blockNumber);
  const [good, bad] = [till.read(paid), till.read(cancelled)];
  // Also for another agent with the same payee, which knows nothing of the first one's claims (AG-234).
  for (const agent of [till, await open(), await open({ folder: till.folder })]) {
    const shown = [await agent.proof.standing(bad, since, hashes), await agent.proof.standing(good, since, hashes)];
    expect(shown.map(({ state }) => state)).toEqual(['unclear', 'paid']);
  }
  // Neither order of events nor a restart gives the transfer to two: it is claimed.
  const twin = { ...good, key: `${good.key}0` };
  expect((await till.proof.standing(twin, since, hashes)).state).not.toBe('paid');
  expect((await (await open({ folder: till.folder })).proof.standing(twin, since, hashes)).state).not.toBe('paid');
});

test('AG-214: where the node refuses logs, the transfer is found in the receipts of blocks', async () => {
  const proxy = await startRpcProxy(local.url);
  onTestFinished(() => proxy.stop());
  proxy.tell = ({ method }, answer) => {
    if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
  };
  // It settles, and loses its answer.
  const till = await open({
    url: proxy.url,
    settle: (honest) => async (payload, terms) => {
      await honest(payload, terms);
      throw new Error('lost');
    },
  });
  const payer = await newPayer();
  const before = await held(payee);
  const payload = await sign(payer, await termsOf(till));
  expect((await till.send(payload)).state).toBe('answered');
  expect((await held(payee)) - before).toBe(amount);
  expect(proxy.methods).toContain('eth_getBlockReceipts');
});
