import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectChain } from '@bowline/chain/chain-client';
import { askWallet } from '@bowline/chain/wallet-signature';
import { success } from '@bowline/core/domain/result';
import { callerNow } from '@bowline/http/caller';
import { createLimit } from '@bowline/http/rate-limit';
import {
  authorizationTypes,
  PERMIT2_ADDRESS as permit2,
  permit2WitnessTypes,
  x402ExactPermit2ProxyABI,
} from '@x402/evm';
import {
  type Address,
  concat,
  encodeDeployData,
  getContractAddress,
  type Hex,
  hashTypedData,
  numberToHex,
  parseAbi,
  serializeErc6492Signature,
  zeroHash,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { erc20Abi } from '../../../../lab/world/abis.ts';
import { deterministicDeployer } from '../../../../lab/world/account-abstraction.ts';
import { tokens } from '../../../../lab/world/addresses.ts';
import type { Artifact } from '../../../../lab/world/artifacts.ts';
import { type Chain, connect } from '../../../../lab/world/chain.ts';
import { compile } from '../../../../lab/world/compile.ts';
import { deployEscrow, type Escrow } from '../../../../lab/world/escrow.ts';
import { serveFacilitator } from '../../../../lab/world/facilitator.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../../lab/world/fork.ts';
import { kept } from '../../../../lab/world/kept.ts';
import { treasurer } from '../../../../lab/world/replica.ts';
import { serveB402 } from '../../../../test/e2e/b402-server.ts';
import { b402Spender, placePermit2 } from '../../../../test/e2e/permit2.ts';
import { b402Facilitator, type Facilitator, x402Facilitator } from '../../../src/selling/payments/facilitators.ts';
import { openPayments } from '../../../src/selling/payments/payments.ts';
import { createProof } from '../../../src/selling/payments/proof.ts';
import { answerAt, inWords } from '../../../src/selling/payments/question.ts';
import { X402Rail } from '../../../src/selling/payments/rail.ts';
import { openRecords } from '../../../src/selling/payments/records.ts';
import { keepLog } from '../../api/log.ts';
import { newFolder } from '../../folder.ts';

// Contract wallets that pay (ERC-1271), honest ones and others, on the real facilitator of the standard and on B402's own client.

const network = `eip155:${localChainId}` as const;
const usdt = tokens.USDT;
const payee: Address = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
const amount = 20_000_000_000_000_000n;
const resource = answerAt('http://localhost/x402');
const walletAbi = parseAbi([
  'function turn(uint8 mood)',
  'function approve(address token, address spender, uint256 amount)',
]);
const moods = { key: 0, anybody: 1, nobody: 2, askedOnly: 3 } as const;
const source = 'test/mocks/ContractPayer.sol';

let local: LocalChain;
let chain: Chain;
let escrow: Escrow;
let artifact: Artifact;
let standard: Awaited<ReturnType<typeof serveFacilitator>>;

beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  await placePermit2(chain);
  escrow = await deployEscrow(chain, 60);
  const path = await kept('contract-payer', [source, 'lab/world/compile.ts'], '', async () =>
    JSON.stringify(await compile(new URL(`../../../../${source}`, import.meta.url))),
  );
  artifact = JSON.parse(readFileSync(path, 'utf8'));
  standard = await serveFacilitator(local.url, 0);
}, 120_000);

afterAll(async () => {
  await standard?.stop();
  await local?.stop();
});

const held = (token: Address, owner: Address) =>
  chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

type Method = 'eip3009' | 'permit2-exact';

/** A wallet with funds for five answers in each token. */
async function newWallet({ isDeployed = true } = {}) {
  const key = privateKeyToAccount(generatePrivateKey());
  const { abi, bytecode } = artifact;
  const creation = concat([zeroHash, encodeDeployData({ abi, bytecode, args: [key.address] })]);
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: deterministicDeployer,
    salt: zeroHash,
    bytecode: `0x${creation.slice(66)}`,
  });
  for (const token of [usdt, escrow.token.address]) {
    await chain.send(treasurer, token, { abi: erc20Abi, functionName: 'transfer', args: [address, 5n * amount] });
  }
  const turn = (mood: keyof typeof moods) =>
    chain.send(treasurer, address, { abi: walletAbi, functionName: 'turn', args: [moods[mood]] });
  const deploy = async () => {
    await chain.sendRaw(treasurer, deterministicDeployer, creation);
    const args = [usdt, permit2, 100n * amount] as const;
    await chain.send(treasurer, address, { abi: walletAbi, functionName: 'approve', args });
  };
  if (isDeployed) await deploy();
  const wrap = (signature: Hex) =>
    serializeErc6492Signature({ address: deterministicDeployer, data: creation, signature });
  return { address, key, turn, deploy, wrap };
}

let nonces = 5_000n;

/** A wallet's payment, signed by its key or another one. */
async function sign(
  { address: from, key }: Pick<Awaited<ReturnType<typeof newWallet>>, 'address' | 'key'>,
  method: Method,
  accepted: unknown,
  { by = key, nonce = ++nonces, envelope = (signature: Hex): Hex => signature } = {},
) {
  const deadline = BigInt(Math.floor(Date.now() / 1_000)) + 120n;
  const chainId = localChainId;
  const texts = (value: object) =>
    JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)));
  if (method === 'eip3009') {
    const message = {
      from,
      to: payee,
      value: amount,
      validAfter: 0n,
      validBefore: deadline,
      nonce: numberToHex(nonce, { size: 32 }),
    };
    const { name, version, address: verifyingContract } = escrow.token;
    const domain = { name, version, chainId, verifyingContract };
    const primaryType = 'TransferWithAuthorization';
    const signature = envelope(await by.signTypedData({ domain, types: authorizationTypes, primaryType, message }));
    return { x402Version: 2, accepted, payload: { signature, authorization: texts(message) } };
  }
  const typed = typedPermit(nonce, deadline);
  const signature = envelope(await by.signTypedData(typed));
  const permit2Authorization = { ...texts(typed.message), from };
  return { x402Version: 2, accepted, payload: { signature, permit2Authorization } };
}

function typedPermit(nonce: bigint, deadline: bigint) {
  return {
    domain: { name: 'Permit2', chainId: localChainId, verifyingContract: permit2 },
    types: permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: usdt, amount },
      spender: b402Spender,
      nonce,
      deadline,
      witness: { to: payee, validAfter: 0n },
    },
  } as const;
}

/** Payments over that facilitator. `before` runs when it is asked to settle. */
async function open(chosen: Facilitator, before: () => Promise<unknown> = async () => {}) {
  const records = await openRecords(await newFolder(), (name) => {
    throw new Error(`${name} cannot be read`);
  });
  onTestFinished(() => records.close());
  const client = connectChain(local.url);
  const { name, version, address } = escrow.token;
  const log = keepLog();
  let settlements = 0;
  const facilitator: Facilitator = {
    ...chosen,
    client: {
      verify: (...asked) => chosen.client.verify(...asked),
      getSupported: () => chosen.client.getSupported(),
      settle: async (...asked) => {
        settlements += 1;
        await before();
        return chosen.client.settle(...asked);
      },
    },
  };
  const own = { network, method: 'eip3009', asset: address, amount, payTo: payee, token: { name, version } } as const;
  const tether = { name: 'Tether USD', version: '1' };
  const other = { network, method: 'permit2-exact', asset: usdt, amount, payTo: payee, token: tether } as const;
  const clock = () => BigInt(Math.floor(Date.now() / 1_000));
  const nowMs = () => performance.now();
  const proof = createProof(client, [client], (transfer, key) => records.claim(transfer, key));
  const wallets = createLimit({ name: 'wallets', requests: 200, seconds: 60 }, nowMs);
  const offers = chosen.takesPermit2 ? [own, other] : [own];
  const rail = new X402Rail({ facilitator, offers, resource, client, proof, wallets, callerNow, clock, log });
  const payments = await openPayments({
    ...{ rail, proof, records, clock, log },
    work: async (ask) => success({ text: `an answer to ${JSON.stringify(ask)}` }),
    timers: {
      now: nowMs,
      after: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    },
    times: { lookMs: 2_000, pollMs: 20, resubmitMs: 0 },
  });
  const limit = createLimit({ name: 'x402', requests: 200, seconds: 60 }, nowMs);
  const send = async (payload: unknown, prompt = 'hello') => {
    const { signal } = new AbortController();
    const outcome = await payments.pay({ payload, question: inWords(prompt), resource, limit, signal });
    if ('reason' in outcome) return outcome.reason;
    return outcome.state === 'conflict' || outcome.state === 'later' ? outcome.code : outcome.state;
  };
  const accepts = (await rail.ask(resource)).accepts as { asset: Address }[];
  const terms = (method: Method) => accepts.find(({ asset }) => (asset === usdt) === (method !== 'eip3009'));
  return { send, terms, settlements: () => settlements };
}

const x402 = () => x402Facilitator(standard.url, { timeoutMs: 10_000 });

describe('AG-265: over x402', () => {
  const method = 'eip3009';
  test('a contract wallet pays once, and its envelope of ERC-6492 is the same payment', async () => {
    const shop = await open(x402());
    const wallet = await newWallet();
    const before = await held(escrow.token.address, payee);
    const nonce = ++nonces;
    const plain = await sign(wallet, method, shop.terms(method), { nonce });
    expect(await shop.send(plain)).toBe('answered');
    const wrapped = { ...plain, payload: { ...plain.payload, signature: wallet.wrap(plain.payload.signature) } };
    expect(await shop.send(wrapped)).toBe('answered');
    expect(await shop.send(wrapped, 'another')).toBe('payment_used_for_another_prompt');
    expect(await shop.send(await sign(wallet, method, shop.terms(method), { envelope: wallet.wrap }))).toBe('answered');
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect(await shop.send(await sign(wallet, method, shop.terms(method), { by: stranger }))).toBe('bad_signature');
    expect(await held(escrow.token.address, payee)).toBe(before + 2n * amount);
    expect(shop.settlements()).toBe(2);
  });

  test('AG-265: one that is not deployed is refused by name, and pays with the same payment once it is', async () => {
    const shop = await open(x402());
    const wallet = await newWallet({ isDeployed: false });
    const before = await held(escrow.token.address, payee);
    const payload = await sign(wallet, method, shop.terms(method), { envelope: wallet.wrap });
    expect(await shop.send(payload)).toBe('wallet_not_deployed');
    expect(await shop.send(await sign(wallet, method, shop.terms(method)))).toBe('bad_signature');
    const twice = await sign(wallet, method, shop.terms(method), {
      envelope: (each) => wallet.wrap(wallet.wrap(each)),
    });
    const broken = await sign(wallet, method, shop.terms(method), {
      envelope: (each) => `0x12${wallet.wrap(each).slice(-64)}`,
    });
    const empty = await sign(wallet, method, shop.terms(method), { envelope: () => wallet.wrap('0x') });
    for (const each of [twice, broken, empty]) expect(await shop.send(each)).toBe('unreadable');
    expect(shop.settlements()).toBe(0);
    await wallet.deploy();
    expect(await shop.send(payload)).toBe('answered');
    expect(await held(escrow.token.address, payee)).toBe(before + amount);
  });

  test('one that says yes to everything pays each of its nonces once, whoever signs what', async () => {
    const shop = await open(x402());
    const wallet = await newWallet();
    await wallet.turn('anybody');
    const before = await held(escrow.token.address, payee);
    const [one, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
    const nonce = ++nonces;
    const first = await sign(wallet, method, shop.terms(method), { by: one, nonce });
    const same = await sign(wallet, method, shop.terms(method), { by: other, nonce });
    expect(await shop.send(first)).toBe('answered');
    expect(await shop.send(same)).toBe('answered');
    expect(await shop.send(same, 'another')).toBe('payment_used_for_another_prompt');
    expect(shop.settlements()).toBe(1);
    const outcomes: unknown[] = [];
    for (let at = 0; at < 7; at += 1) {
      outcomes.push(await shop.send(await sign(wallet, method, shop.terms(method), { envelope: () => '0x01' })));
    }
    expect(outcomes).toEqual([...Array(4).fill('answered'), ...Array(3).fill('token_refuses')]);
    expect(await held(escrow.token.address, payee)).toBe(before + 5n * amount);
  });

  test('one that changes its mind is answered nothing, is charged nothing, and holds up nobody', async () => {
    const wallet = await newWallet();
    let mood: keyof typeof moods = 'nobody';
    const shop = await open(x402(), async () => void (await wallet.turn(mood)));
    const before = await held(escrow.token.address, payee);
    const payload = await sign(wallet, method, shop.terms(method));
    expect(['token_refuses', 'settlement_unknown']).toContain(await shop.send(payload));
    // The wallet agrees in a call and refuses in a transaction, which costs it nothing.
    mood = 'askedOnly';
    await wallet.turn(mood);
    const sly = await sign(wallet, method, shop.terms(method));
    expect(await shop.send(sly)).toBe('settlement_unknown');
    expect(await held(escrow.token.address, payee)).toBe(before);
    const honest = await newWallet();
    expect(await shop.send(await sign(honest, method, shop.terms(method)))).toBe('answered');
    mood = 'key';
    await wallet.turn(mood);
    expect(await shop.send(payload)).toBe('answered');
    expect(await held(escrow.token.address, payee)).toBe(before + 2n * amount);
  });
});

/** B402's own client, against a stand-in for its service that asks the wallet itself. */
async function b402() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = { clientId: 'bowline', accessToken: 'token' };
  type Payload = {
    permit2Authorization: Record<string, string> & { permitted: { amount: string }; witness: { to: Address } };
    signature: Hex;
  };
  const server = await serveB402({
    ...account,
    publicKey,
    facilitatorUrl: standard.url,
    network,
    token: { name: escrow.token.name, version: escrow.token.version },
    signer: treasurer,
    permit2: {
      token: { name: 'Tether USD', version: '1' },
      spender: b402Spender,
      isSigned: async ({ permit2Authorization: permit, signature }: Payload) => {
        const digest = hashTypedData(typedPermit(BigInt(permit.nonce ?? ''), BigInt(permit.deadline ?? '')));
        return (await askWallet(connectChain(local.url), permit.from as Address, digest, signature)) === 'accepts';
      },
      settle: async ({ permit2Authorization: permit, signature }: Payload) => {
        const { message } = typedPermit(BigInt(permit.nonce ?? ''), BigInt(permit.deadline ?? ''));
        const { permitted, nonce, deadline, witness: bound } = message;
        const args = [{ permitted, nonce, deadline }, permit.from as Address, bound, signature] as const;
        const call = { abi: x402ExactPermit2ProxyABI, functionName: 'settle', args } as const;
        return (await chain.send(treasurer, b402Spender, call)).transactionHash;
      },
    },
  });
  onTestFinished(() => server.stop());
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const patience = { timeoutMs: 10_000, pendingMs: 2_000, pollMs: 20 };
  return { server, chosen: b402Facilitator({ ...account, baseUrl: server.url, privateKey: pkcs8 }, patience) };
}

test('AG-265: over B402 a contract wallet pays by Permit2 with its envelope; any other way is refused by name', async () => {
  const { server, chosen } = await b402();
  const shop = await open(chosen);
  const wallet = await newWallet();
  const before = await held(usdt, payee);
  /** As wallets with session keys sign. */
  const envelope = (signature: Hex) => concat([signature, numberToHex(1, { size: 33 })]);
  const exact = 'permit2-exact' as const;
  const payload = await sign(wallet, exact, shop.terms(exact), { envelope });
  expect(await shop.send(payload)).toBe('answered');
  expect(await shop.send(payload)).toBe('answered');
  // Its own client verifies a wallet's signature once more before it settles.
  expect(server.asked.filter((path) => path !== 'supported')).toEqual(['verify', 'verify', 'settle']);
  expect(await held(usdt, payee)).toBe(before + amount);
  const other = { envelope: (each: Hex) => wallet.wrap(envelope(each)) };
  expect(await shop.send(await sign(wallet, exact, shop.terms(exact), other))).toBe('answered');

  // B402 takes any 65 bytes for a key's signature.
  expect(await shop.send(await sign(wallet, exact, shop.terms(exact)))).toBe('facilitator_refuses');
  for (const signed of [{}, { envelope }]) {
    expect(await shop.send(await sign(wallet, 'eip3009', shop.terms('eip3009'), signed))).toBe('wallet_not_taken');
  }
  const stranger = privateKeyToAccount(generatePrivateKey());
  expect(await shop.send(await sign(wallet, exact, shop.terms(exact), { envelope, by: stranger }))).toBe(
    'facilitator_refuses',
  );
  const unmade = await newWallet({ isDeployed: false });
  expect(await shop.send(await sign(unmade, exact, shop.terms(exact), { envelope: unmade.wrap }))).toBe(
    'facilitator_refuses',
  );
  expect(shop.settlements()).toBe(2);
});

test('AG-265: over B402 a wallet that changes its mind is answered nothing, and one that says yes to everything pays each time', async () => {
  const { chosen } = await b402();
  const wallet = await newWallet();
  let mood: keyof typeof moods = 'nobody';
  const shop = await open(chosen, async () => void (await wallet.turn(mood)));
  const before = await held(usdt, payee);
  const exact = 'permit2-exact' as const;
  const junk = { envelope: () => numberToHex(1, { size: 66 }) };
  await wallet.turn('anybody');
  expect(await shop.send(await sign(wallet, exact, shop.terms(exact), junk))).toBe('facilitator_refuses');
  mood = 'askedOnly';
  await wallet.turn(mood);
  const envelope = (signature: Hex) => concat([signature, '0x01']);
  expect(await shop.send(await sign(wallet, exact, shop.terms(exact), { envelope }))).toBe('settlement_unknown');
  expect(await held(usdt, payee)).toBe(before);
  mood = 'anybody';
  await wallet.turn(mood);
  const outcomes: unknown[] = [];
  for (let at = 0; at < 6; at += 1) outcomes.push(await shop.send(await sign(wallet, exact, shop.terms(exact), junk)));
  expect(outcomes).toEqual([...Array(5).fill('answered'), 'settlement_unknown']);
  expect(await held(usdt, payee)).toBe(before + 5n * amount);
});
