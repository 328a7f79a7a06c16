import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { hashManifest } from '../../agent/src/selling/jobs/offers.ts';
import { treasurer } from '../../lab/world/replica.ts';
import type { Order } from '../e2e/escrow-buyers.ts';
import { bob, carol, alice as seller } from './accounts.ts';
import {
  abi,
  buyers,
  chain,
  complete,
  deliver,
  differs,
  equal,
  escrow,
  folder,
  ledger,
  manifestOf,
  node,
  offer,
  pass,
  price,
  settle,
  sold,
  store,
  windowSeconds,
  withSales,
} from './sales.ts';

// AG-150.

withSales();

test('AG-150: an honest sale equals, and the escrow’s transfer to us is what proves it', async () => {
  const { id } = await complete();
  const found = await ledger();
  expect(found).toMatchObject(equal);
  const { deliverable } = await buyers.jobOf(id);
  expect(found.lines[1]).toMatch(
    new RegExp(
      `^job ${id}: completed; budget 3 Local Dollar; paid 3 Local Dollar by transaction 0x\\w{64}; delivered as ${deliverable}$`,
    ),
  );
  expect(found.lines).toContain('1 transfers have paid 3 Local Dollar.');
});

describe('AG-150: a paid job that is not delivered', () => {
  test('is found at once, and as long as it can be delivered', async () => {
    const { id, offerHash } = await sold();
    expect(await ledger()).toMatchObject(differs(`^paid_not_delivered: job ${id}: funded; budget 3 Local Dollar$`));
    // A delivery that was made but never submitted is reported once, with its job.
    const manifest = manifestOf(id, offerHash);
    await store.put({ hash: hashManifest(manifest), offerHash, manifest });
    expect(await ledger()).toMatchObject(differs('^paid_not_delivered: '));
    await pass(3_600);
    const late = await ledger();
    expect(late).toMatchObject(equal);
    expect(late.lines[1]).toMatch(/^job .*: funded; .*; refused, deadline_too_tight$/);
    await chain.send(bob, escrow.commerce, { abi, functionName: 'claimRefund', args: [id] });
    expect(await ledger()).toMatchObject(differs('^delivery_of_no_job: '));
    rmSync(folder, { recursive: true, force: true });
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toBe(`job ${id}: expired; budget 3 Local Dollar`);
  });

  test('is one that the seller’s check list takes: strangers cannot make it fail', async () => {
    const { description } = await offer();
    const bound = await offer(carol);
    const [paid, copied] = await buyers.order(bob, [
      { description, budget: price },
      { description, budget: price },
    ]);
    const junk: Order[] = [
      { description, budget: 1n },
      { description: 'Is BTCB fairly priced? Please.', budget: price },
      { description: bound.description, budget: price },
      { description, budget: price, isOpen: true },
      // Names no provider yet.
      { description, budget: price, isOpen: true, provider: zeroAddress },
    ];
    const [cheap, plain, foreign] = await buyers.order(bob, junk);
    // Names another provider.
    await buyers.order(bob, [{ description, budget: price, provider: carol }]);
    const found = await ledger();
    expect(found).toMatchObject(differs(`^paid_not_delivered: job ${paid}: `));
    expect(found.lines[0]).toMatch(/: 5 funded or ended, 1 open\.$/);
    for (const [id, refusal] of [
      [copied, 'offer_used'],
      [cheap, 'budget_too_low'],
      [plain, 'no_signed_offer'],
      [foreign, 'foreign_client'],
    ]) {
      expect(found.lines.find((line) => line.startsWith(`job ${id}: `))).toMatch(new RegExp(`; refused, ${refusal}$`));
    }
  });

  test('is no copy of a job that was delivered', async () => {
    const { id, file } = await complete();
    rmSync(file);
    const { description } = await buyers.jobOf(id);
    const [copy] = await buyers.order(carol, [{ description, budget: price }]);
    const found = await ledger();
    expect(found).toMatchObject(differs(`^deliverable_missing: job ${id}: `));
    expect(found.lines[2]).toBe(`job ${copy}: funded; budget 3 Local Dollar; refused, offer_used`);
  });

  test('is no job that was funded too late for the work, or after its offer had expired', async () => {
    const { description } = await offer();
    await pass(1_000);
    await buyers.order(bob, [{ description, budget: price }]);
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toMatch(/; refused, offer_expired$/);
  });
});

describe('AG-150: a delivery that is not paid', () => {
  test('is found when it has expired, and not before', async () => {
    const sale = await sold();
    await deliver(sale);
    expect(await ledger()).toMatchObject(equal);
    await pass(windowSeconds + 3_600);
    expect(await ledger()).toMatchObject(equal);
    await chain.send(bob, escrow.commerce, { abi, functionName: 'claimRefund', args: [sale.id] });
    expect(await ledger()).toMatchObject(differs(`^delivered_not_paid: job ${sale.id}: expired; `));
  });

  test('is none where the evaluation was against us', async () => {
    const sale = await sold();
    await deliver(sale);
    await chain.send(bob, escrow.policy, { abi, functionName: 'dispute', args: [sale.id] });
    await chain.send(treasurer, escrow.policy, { abi, functionName: 'voteReject', args: [sale.id] });
    expect(await ledger()).toMatchObject(equal);
    await settle(sale.id);
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toContain(`job ${sale.id}: rejected; `);
  });

  test('is one that the kernel calls completed and no transfer has paid', async () => {
    const { id } = await complete();
    node.tell = ({ method, params }, answer) => {
      const [{ topics }] = params as [{ topics: string[] }];
      if (method === 'eth_getLogs' && topics.length === 3 && Array.isArray(answer.result))
        answer.result = answer.result.filter(({ address }) => address !== escrow.token.address.toLowerCase());
    };
    expect(await ledger()).toMatchObject(differs(`^delivered_not_paid: job ${id}: completed; `));
    node.tell = () => {};
    // The transfer is in blocks that were not asked for.
    expect(await ledger((await chain.getBlockNumber()) + 1n)).toMatchObject(differs('^delivered_not_paid: '));
  });

  test('is none where the price was nothing', async () => {
    const { id, offerHash } = await sold({ budget: 0n });
    await deliver({ id, offerHash });
    await pass(windowSeconds);
    await settle(id);
    expect(await ledger()).toMatchObject(equal);
  });
});

describe('AG-150: our files', () => {
  test('lack no deliverable, and none is changed', async () => {
    const { id, file } = await complete();
    const text = readFileSync(file, 'utf8');
    const [name = ''] = file.split('/').slice(-1);
    const lacks = async (...strays: string[]) => {
      const found = await ledger();
      expect(found).toMatchObject({ differences: 1 + strays.length, unread: [] });
      expect(found.lines[1]).toMatch(`deliverable_missing: job ${id}: `);
      expect(found.lines.slice(2, -1)).toEqual(strays.map((each) => `delivery_of_no_job: ${each}`));
    };
    writeFileSync(file, text.replace('# GO', '# NO_GO'));
    await lacks(name);
    writeFileSync(file, text.slice(0, -1));
    await lacks(name);
    rmSync(file);
    await lacks();
    // The agent finds the file only under its own name.
    writeFileSync(join(folder, 'other.json'), text);
    await lacks('other.json');
    rmSync(join(folder, 'other.json'));
    writeFileSync(file, text);
    expect(await ledger()).toMatchObject(equal);
  });

  test('hold a delivery for each job: that of another job is none', async () => {
    const [{ id, offerHash }, other] = [await sold(), await sold()];
    await deliver({ id, offerHash });
    const { deliverable } = await buyers.jobOf(id);
    const args = [other.id, deliverable, '0x'] as const;
    await chain.send(seller, escrow.commerce, { abi, functionName: 'submit', args });
    expect(await ledger()).toMatchObject(differs(`^deliverable_missing: job ${other.id}: `));
  });

  test('hold no delivery that no job has, whatever it says of itself', async () => {
    const { id, file } = await complete();
    const other = await sold();
    await deliver(other);
    const { hash: unsold } = await offer();
    const put = async (jobId: bigint, offerHash: Hex, content: string): Promise<string> => {
      const manifest = manifestOf(jobId, offerHash, content);
      const hash = hashManifest(manifest);
      await store.put({ hash, offerHash, manifest });
      return `${offerHash}-${hash}.json`;
    };
    const [name = ''] = file.split('/').slice(-1);
    const copy = name.replace(/^0x../, '0xff');
    copyFileSync(file, join(folder, copy));
    writeFileSync(join(folder, 'stray.json'), 'nothing');
    const forged = [
      await put(99n, unsold, 'of a job that there is not'),
      await put(id, other.offerHash, 'of a job that has another delivery'),
      await put(other.id, other.offerHash, 'a second one'),
      copy,
      'stray.json',
    ];
    // These files are not deliveries.
    for (const each of ['jobs.json', 'registration.json', `${name}.part`]) writeFileSync(join(folder, each), '{}');
    const found = await ledger();
    expect(found).toMatchObject({ differences: forged.length, unread: [] });
    expect(found.lines.filter((line) => line.startsWith('delivery_of_no_job: ')).toSorted()).toEqual(
      forged.map((each) => `delivery_of_no_job: ${each}`).toSorted(),
    );
  });
});
