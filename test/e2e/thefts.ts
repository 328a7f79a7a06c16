import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PERMIT2_ADDRESS as permit2, x402ExactPermit2ProxyABI } from '@x402/evm';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { erc20Abi } from '../../lab/world/abis.ts';
import { compile } from '../../lab/world/compile.ts';
import { kept } from '../../lab/world/kept.ts';
import { treasurer } from '../../lab/world/replica.ts';
import type { Question } from './doors.ts';
import {
  bothWays,
  encodings,
  type Heist,
  refused,
  stranger,
  type Theft,
  type Variants,
  variedBothWays,
} from './heist.ts';
import { b402Spender } from './permit2.ts';
import { price, type Shop } from './shop.ts';
import {
  authorise,
  base64,
  cancelCall,
  newNonce,
  type Payload,
  permit,
  type Signed,
  transferCall,
} from './signed-payment.ts';
import { forgery, otherPermit, otherTerms } from './thefts-terms.ts';
import { withoutPaying } from './thefts-unpaid.ts';

// Ways to an answer without paying for it. Each theft shows that it got as far as intended: one that fails for any
// other reason proves nothing.

/** The facilitator's answer that names a transaction. */
const settled = ({ shop }: Heist, transaction: string, payer: Address) => ({
  success: true,
  transaction,
  network: shop.offers.authorised.network,
  payer,
});

/** A correct payment, by authorisation or by permit. */
async function rightly(heist: Heist, isPermit: boolean) {
  const { shop } = heist;
  const payer = isPermit ? heist.permitPayer() : heist.payer();
  const offer = isPermit ? shop.offers.permitted : shop.offers.authorised;
  const signed = await (isPermit ? permit : authorise)(payer, { offer });
  return { payer, offer, isPermit, ...signed };
}

const replayed = variedBothWays(encodings, async (heist, isPermit, encode) => {
  const { payload } = await rightly(heist, isPermit);
  const [door, question] = [heist.door(), heist.question()];
  const first = await heist.ask(door, question, { payment: payload });
  expect(first.isAnswered, first.text).toBe(true);
  const again = encode(payload);
  // The same payment gets the same answer to its own question. An address with 0X is not readable.
  const isReadable = encode !== encodings['with 0X'];
  const copy = await heist.ask(door, question, { payment: again });
  if (isReadable) expect(copy.answer, copy.text).toBe(first.answer);
  else refused(copy, 'unreadable');
  const used = 'payment_used_for_another_prompt';
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), used);
  refused(await heist.ask(heist.door(), heist.question(), { payment: again }), isReadable ? used : 'unreadable');
  return { bought: 1 };
});

const copiedInFlight = bothWays(async (heist, way) => {
  const { payer, payload } = await rightly(heist, way);
  const stolen = Promise.withResolvers<void>();
  heist.shop.settles(payer.address, async (_body, settle) => {
    await stolen.promise;
    return settle();
  });
  const victim = heist.ask(heist.door(), heist.question(), { payment: payload });
  await expect.poll(() => heist.shop.asked(payer.address)).toBe(1);
  const told = await heist.ask(heist.door(), heist.question(), { payment: base64(payload, 3) });
  stolen.resolve();
  refused(told, 'payment_used_for_another_prompt');
  expect((await victim).isAnswered).toBe(true);
  return { bought: 1 };
});

/** Calldata for the standard's Permit2 contract. */
function permitCall({ terms, signature }: Signed, token: Address): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = terms;
  const call = { permitted: { token, amount: value }, nonce: BigInt(nonce), deadline: validBefore };
  const args = [call, from, { to, validAfter }, signature] as const;
  return encodeFunctionData({ abi: x402ExactPermit2ProxyABI, functionName: 'settle', args });
}

const fromCalldata = bothWays(async (heist, way) => {
  const signed = await rightly(heist, way);
  const { chain, asked, paidBy } = heist.shop;
  const { address } = signed.payer;
  if (signed.isPermit) await chain.sendRaw(stranger, b402Spender, permitCall(signed, signed.offer.asset));
  else await chain.sendRaw(stranger, signed.offer.asset, transferCall(signed));
  expect(await paidBy(address)).toBe(1);
  for (const payment of [signed.payload, base64(signed.payload, 2)]) {
    // For a permit it is B402 that refuses, with its own reason.
    const word = signed.isPermit ? 'facilitator_refuses' : 'already_used';
    refused(await heist.ask(heist.door(), heist.question(), { payment }), word);
  }
  expect(asked(address)).toBe(0);
  return { bought: 0, gifts: 1 };
});

/** Sends one payment with this many questions at once: one of them is answered. */
async function atOnce(heist: Heist, payload: Payload, many: number): Promise<void> {
  const asked = Array.from({ length: many }, (_, at) => ({ door: heist.door(), question: heist.question(), at }));
  const told = await Promise.all(
    asked.map(({ door, question, at }) => heist.askUntilKnown(door, question, { payment: base64(payload, at) })),
  );
  expect(told.filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  for (const each of told) if (!each.isAnswered) refused(each, 'payment_used_for_another_prompt');
}

const atTwoDoors = bothWays(async (heist, way) => {
  const { payload, payer } = await rightly(heist, way);
  await atOnce(heist, payload, 2);
  expect(heist.shop.asked(payer.address)).toBe(1);
  return { bought: 1 };
});

const inParallel = bothWays(async (heist, way) => {
  const { payload, payer } = await rightly(heist, way);
  // The door is chosen once more among those at which the first copy may arrive after the last.
  heist.shop.settles(payer.address, async (_body, settle) => {
    await sleep(heist.random.below(400));
    return settle();
  });
  await atOnce(heist, payload, 9);
  return { bought: 1 };
});

const permit2Abi = parseAbi([
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
  'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) details, address owner, bytes signature)',
]);

/** The transaction that the facilitator names for a cancelled payment. */
const claims: Readonly<Record<string, (cancellation: string) => string>> = {
  'names the cancellation': (cancellation) => cancellation,
  'says that it failed': () => '',
  'names an invented transaction': newNonce,
};

/** The payer voids the payment while the facilitator has it. The facilitator then makes one of these claims. */
const cancelledUnderWay = variedBothWays(claims, async (heist, isPermit, claimOf) => {
  const { payer, payload, offer, terms } = await rightly(heist, isPermit);
  const { chain } = heist.shop;
  let cancellation = '';
  heist.shop.settles(payer.address, async () => {
    if (cancellation === '') {
      const args = [BigInt(terms.nonce) >> 8n, 1n << (BigInt(terms.nonce) & 255n)] as const;
      const { transactionHash } = isPermit
        ? await chain.send(payer.address, permit2, { abi: permit2Abi, functionName: 'invalidateUnorderedNonces', args })
        : await chain.sendRaw(stranger, offer.asset, await cancelCall(payer, terms.nonce, offer));
      cancellation = transactionHash;
    }
    const claim = settled(heist, claimOf(cancellation), payer.address);
    return { ...claim, success: claim.transaction !== '' };
  });
  const [door, question] = [heist.door(), heist.question()];
  // Permit2 logs no nonce. B402 says that the permit is no longer good, unless it has claimed to have taken it.
  const hasLied = claimOf('') !== '' || claimOf === claims['names the cancellation'];
  const [ask, word] = !isPermit
    ? [heist.askUntilKnown, 'cancelled']
    : [heist.ask, hasLied ? 'settlement_unknown' : 'facilitator_refuses'];
  refused(await ask(door, question, { payment: payload }), word);
  expect(cancellation).not.toBe('');
  refused(await ask(door, question, { payment: base64(payload, 1) }), word);
  return { bought: 0 };
});

/** The authorisation's nonce pays a stranger, and the facilitator names that transaction. */
const authorisationSpentElsewhere: Theft = async (heist) => {
  const { shop } = heist;
  const [payer, offer] = [heist.payer(), shop.offers.authorised];
  const { payload, terms } = await authorise(payer, { offer });
  const elsewhere = await authorise(payer, { offer, changes: { nonce: terms.nonce, to: stranger } });
  shop.settles(payer.address, async () => {
    const { transactionHash } = await shop.chain.sendRaw(stranger, offer.asset, transferCall(elsewhere));
    return settled(heist, transactionHash, payer.address);
  });
  refused(await heist.askUntilKnown(heist.door(), heist.question(), { payment: payload }), 'used_elsewhere');
  expect([await shop.held(payer.address), shop.asked(payer.address)]).toEqual([price, 1]);
  return { bought: 0 };
};

/** The permit's nonce is spent on another permit, and the facilitator names that transaction. */
const permitSpentElsewhere: Theft = async (heist) => {
  const { shop } = heist;
  const { chain } = shop;
  const [payer, offer] = [heist.permitPayer(), shop.offers.permitted];
  const { payload, terms } = await permit(payer, { offer });
  const permitted = { token: offer.asset, amount: 1n };
  const [nonce, deadline] = [BigInt(terms.nonce), terms.validBefore];
  const signature = await payer.signTypedData({
    domain: { name: 'Permit2', chainId: 31_337, verifyingContract: permit2 },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { permitted, spender: stranger, nonce, deadline },
  });
  shop.settles(payer.address, async () => {
    const { transactionHash } = await chain.send(stranger, permit2, {
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [{ permitted, nonce, deadline }, { to: stranger, requestedAmount: 1n }, payer.address, signature],
    });
    return settled(heist, transactionHash, payer.address);
  });
  const [door, question] = [heist.door(), heist.question()];
  refused(await heist.ask(door, question, { payment: payload }), 'settlement_unknown');
  // One unit went elsewhere. B402's claim of a settlement leaves the outcome open.
  expect(await shop.held(payer.address, offer.asset)).toBe(2n * price - 1n);
  refused(await heist.ask(door, question, { payment: base64(payload, 1) }), 'facilitator_refuses');
  return { bought: 0 };
};

/** What the facilitator names instead of a payment's transaction. */
const lies: Readonly<Record<string, (shop: Shop, other: PrivateKeyAccount) => Promise<string>>> = {
  async "another's payment"({ chain, offers: { authorised: offer } }, other) {
    const theirs = await authorise(other, { offer });
    return (await chain.sendRaw(stranger, offer.asset, transferCall(theirs))).transactionHash;
  },
  'an invented transaction': async () => newNonce(),
  nothing: async () => '',
  'no hash': async () => 'paid',
};

const lyingFacilitator = variedBothWays(lies, async (heist, isPermit, invent) => {
  const { shop } = heist;
  const { payer, payload, offer } = await rightly(heist, isPermit);
  const other = heist.payer();
  const lie = await invent(shop, other);
  const gifts = await shop.paidBy(other.address);
  shop.settles(payer.address, async () => settled(heist, lie, payer.address));
  const [door, question] = [heist.door(), heist.question()];
  refused(await heist.ask(door, question, { payment: payload }), 'settlement_unknown');
  // B402's client treats a settlement without a transaction as a decline. A good payment is then submitted once more.
  const asks = isPermit && lie === '' ? 2 : 1;
  expect([shop.asked(payer.address), await shop.held(payer.address, offer.asset)]).toEqual([asks, 2n * price]);
  shop.settles(payer.address, (_body, settle) => settle());
  const told = await heist.askUntilKnown(door, question, { payment: payload });
  expect(told.isAnswered, `${told.text} by ${isPermit ? 'permit' : 'authorisation'}`).toBe(true);
  return { bought: 1, gifts };
});

const walletAbi = parseAbi([
  'function turn(uint8 mood)',
  'function approve(address token, address spender, uint256 amount)',
]);
const moods = { key: 0, anybody: 1, nobody: 2, askedOnly: 3 } as const;
const fickle = { 'nobody now': 'nobody', 'who asks only': 'askedOnly', anybody: 'anybody' } as const;

async function newWallet({ chain }: Shop, key: PrivateKeyAccount): Promise<Address> {
  const source = 'test/mocks/ContractPayer.sol';
  const path = await kept('contract-payer', [source, 'lab/world/compile.ts'], '', async () =>
    JSON.stringify(await compile(new URL(`../../${source}`, import.meta.url))),
  );
  const { address } = privateKeyToAccount(generatePrivateKey());
  await chain.place(address, JSON.parse(readFileSync(path, 'utf8')), [key.address], treasurer);
  return address;
}

const longer = (signed: Signed): Signed => {
  const signature: Hex = `${signed.signature}01`;
  return { ...signed, signature, payload: { ...signed.payload, payload: { ...signed.payload.payload, signature } } };
};

/** A contract wallet that passes the check but fails the settlement, or that accepts anybody's signature. */
const fickleWallet = variedBothWays(fickle, async (heist, isPermit, mood) => {
  const { shop } = heist;
  const { chain } = shop;
  const offer = isPermit ? shop.offers.permitted : shop.offers.authorised;
  const key = privateKeyToAccount(generatePrivateKey());
  const wallet = await newWallet(shop, key);
  heist.joins(wallet);
  const funds = { abi: erc20Abi, functionName: 'transfer', args: [wallet, price] } as const;
  await chain.send(treasurer, offer.asset, funds);
  const approval = { abi: walletAbi, functionName: 'approve', args: [offer.asset, permit2, price] } as const;
  if (isPermit) await chain.send(stranger, wallet, approval);
  const turn = (mood: keyof typeof moods) =>
    chain.send(stranger, wallet, { abi: walletAbi, functionName: 'turn', args: [moods[mood]] });
  const sign = async (by: PrivateKeyAccount, nonce: Hex) => {
    const signed = await (isPermit ? permit : authorise)(by, { offer, changes: { from: wallet, nonce } });
    // B402 takes 65 bytes for a key's signature.
    return isPermit ? longer(signed) : signed;
  };
  const nonce = newNonce();
  const [door, question] = [heist.door(), heist.question()];
  if (mood === 'anybody') {
    await turn(mood);
    const [first, second] = [await sign(key, nonce), await sign(privateKeyToAccount(generatePrivateKey()), nonce)];
    expect((await heist.askUntilKnown(door, question, { payment: first.payload })).isAnswered).toBe(true);
    const told = await heist.ask(heist.door(), heist.question(), { payment: second.payload });
    // B402 calls a used permit invalid, whoever signs it.
    refused(told, isPermit ? 'facilitator_refuses' : 'payment_used_for_another_prompt');
    return { bought: 1 };
  }
  if (mood === 'askedOnly') await turn(mood);
  shop.settles(wallet, async (_body, settle) => {
    if (mood === 'nobody') await turn(mood);
    return settle();
  });
  const { payload } = await sign(key, nonce);
  refused(
    await heist.ask(door, question, { payment: payload }),
    'token_refuses',
    'facilitator_refuses',
    'settlement_unknown',
  );
  // The payment passed its check. A declined payment that would still pass it is submitted once more.
  const asks = mood === 'askedOnly' ? 2 : 1;
  expect([shop.asked(wallet), await shop.held(wallet, offer.asset)]).toEqual([asks, price]);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), 'payment_used_for_another_prompt');
  return { bought: 0 };
});

const anothersKey = bothWays(async (heist, way) => {
  const { payer, payload, offer, isPermit } = await rightly(heist, way);
  const [door, question, idempotencyKey] = [heist.door(), heist.question(), `order ${newNonce()}`];
  expect((await heist.ask(door, question, { payment: payload, idempotencyKey })).isAnswered).toBe(true);
  const sign = (by: PrivateKeyAccount, from: Address) =>
    (isPermit ? permit : authorise)(by, { offer, changes: { from } });
  const thief = privateKeyToAccount(generatePrivateKey());
  const tries: readonly [word: string, question: Question, payment: Payload | undefined][] = [
    [isPermit ? 'facilitator_refuses' : 'token_refuses', question, (await sign(thief, thief.address)).payload],
    [isPermit ? 'facilitator_refuses' : 'bad_signature', question, (await sign(thief, payer.address)).payload],
    ['payment_required', question, undefined],
    ['idempotency_key_reused', heist.question(), (await sign(payer, payer.address)).payload],
  ];
  for (const [word, asked, payment] of tries) {
    refused(await heist.ask(heist.door(door.kind), asked, { payment, idempotencyKey }), word);
  }
  // The key is known: a second payment of its payer is not taken, even at another door.
  const again = { payment: (await sign(payer, payer.address)).payload, idempotencyKey };
  expect((await heist.ask(heist.door(door.kind), question, again)).isAnswered).toBe(true);
  return { bought: 1 };
});

const declinedFirst = bothWays(async (heist, way) => {
  const { payer, payload, offer } = await rightly(heist, way);
  const { network } = offer;
  heist.shop.settles(payer.address, async () => ({ success: false, errorReason: 'no', transaction: '', network }));
  const [door, question] = [heist.door(), heist.question()];
  // The token would still accept the payment, so it may yet settle.
  refused(await heist.ask(door, question, { payment: payload }), 'settlement_unknown');
  heist.shop.settles(payer.address, (_body, settle) => settle());
  const other = await heist.ask(heist.door(), heist.question(), { payment: payload });
  refused(other, 'payment_used_for_another_prompt');
  expect((await heist.askUntilKnown(door, question, { payment: payload })).isAnswered).toBe(true);
  return { bought: 1 };
});

/** Two payments with funds for one: the payer has first spent the price of one answer elsewhere. */
const fundsForOne = bothWays(async (heist, way) => {
  const { shop } = heist;
  const { payer, offer, isPermit, ...first } = await rightly(heist, way);
  const second = await (isPermit ? permit : authorise)(payer, { offer });
  await chainTransfer(shop, payer.address, offer.asset);
  const [one, two] = [
    { door: heist.door(), question: heist.question(), payment: first.payload },
    { door: heist.door(), question: heist.question(), payment: second.payload },
  ];
  const told = await Promise.all(
    [one, two].map(({ door, question, payment }) => heist.askUntilKnown(door, question, { payment })),
  );
  expect(told.filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  for (const each of told) if (!each.isAnswered) refused(each, 'token_refuses', 'facilitator_refuses');
  return { bought: 1 };
});

async function chainTransfer({ chain }: Shop, from: Address, token: Address): Promise<void> {
  await chain.impersonateAccount({ address: from });
  await chain.setBalance({ address: from, value: 10n ** 18n });
  await chain.send(from, token, { abi: erc20Abi, functionName: 'transfer', args: [stranger, price] });
}

/** By kind. */
export const thefts: Readonly<Record<string, Variants>> = {
  replayed,
  copiedInFlight,
  fromCalldata,
  otherTerms,
  otherPermit,
  forgery,
  atTwoDoors,
  inParallel,
  cancelledUnderWay,
  spentElsewhere: { 'by authorisation': authorisationSpentElsewhere, 'by permit': permitSpentElsewhere },
  lyingFacilitator,
  fickleWallet,
  anothersKey,
  declinedFirst,
  fundsForOne,
  withoutPaying,
};
