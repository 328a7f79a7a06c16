import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { evidenceOf } from '@bowline/core/domain/evidence';
import type { Proposal } from '@bowline/core/domain/facts';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { ticketOf } from '@bowline/core/verdict/ticket';
import type { Page } from 'playwright-core';
import { encodePacked, type Hex, keccak256, parseEther, stringToBytes, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { createTicketSigner } from '../../agent/src/process/ticket-signer.ts';
import { localKeys } from '../../agent/src/settings.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { keeper } from '../../lab/world/deployment.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { approve, bob, carol, give } from '../../test/local/accounts.ts';
import { rescuedGuard } from '../../test/local/rescued-guard.ts';
import { fragmentOf } from '../app/check/ticket-link.ts';
import { accessibilityProblems, openPage, type PageOptions } from './browser.ts';
import { type NodeBetween, nodeBetween } from './node-between.ts';
import { browser, chain, contracts, folder, local, web, withBrowser, withChain, withPage } from './world.ts';

// The audit, the executor's report card and the verification of tickets, in a browser without the page's server.

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('an audit in the browser', { tags: 'long' }, () => {
  let node: NodeBetween;
  let text: string;

  const evidence = (proposal: Proposal) => {
    const { verdict, findings } = judgeProposal(proposal);
    return { verdict, text: evidenceOf(rulesVersion, proposal, verdict, findings) };
  };
  const hash = (document: string) => keccak256(stringToBytes(document));

  withChain('audit', null);
  withPage(async () => {
    node = await nodeBetween(local.url);
    return { rpcUrl: node.url, auditNodes: local.url };
  });
  withBrowser();
  beforeAll(async () => {
    // Its Pyth price has no signed bytes, so Pyth is off.
    text = evidence({ ...fairProposal(), pyth: 'off' }).text;
    await makePlan();
    await rescuedGuard(chain, contracts, bob);
  });
  afterAll(() => node?.stop());

  /** A plan with a run and a deferral; nobody has the deferral's evidence. */
  async function makePlan(): Promise<void> {
    await give(chain, carol, 'USDT', '1000');
    await approve(chain, carol, 'USDT', contracts.planRegistry, parseEther('1000'));
    const { timestamp } = await chain.getBlock();
    const terms = planTerms(contracts, carol, Number(timestamp));
    await chain.send(carol, contracts.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
    const ticket = {
      ...{ tokenIn: zeroAddress, tokenOut: zeroAddress, maxPriceWad: 0n, maxAmountIn: 0n, issuedAt: 0n, expiresAt: 0n },
      ...{ verdict: 1, evidenceHash: hash('lost') },
    };
    const executor = { abi: swapExecutorAbi } as const;
    await chain.send(keeper, contracts.swapExecutor, {
      ...executor,
      functionName: 'defer',
      args: [1n, 1n, 16, ticket, '0x'],
    });
    const path = encodePacked(['address', 'uint24', 'address'], [tokens.USDT, 500, tokens.BTCB]);
    await chain.send(keeper, contracts.swapExecutor, {
      ...executor,
      functionName: 'execute',
      args: [1n, 1n, { ...ticket, verdict: 3, evidenceHash: hash(text) }, '0x', path],
    });
  }

  async function open(path: string, changes: Partial<PageOptions> = {}) {
    const found = await openPage(browser, { url: web.url + path, rpcUrl: local.url, ...changes });
    return found;
  }

  /** Output of `npx bowline show`. */
  async function printed(...options: string[]): Promise<string> {
    const record = ['--rpc', local.url, '--deployment', `${folder}/${localChainId}.json`];
    const audit = ['cli/main.ts', 'show', ...options, ...record];
    const { stdout } = await promisify(execFile)(process.execPath, audit, { cwd: root });
    return stdout;
  }

  /** Expects each of these figures on the page. */
  async function shows(page: Page, figures: readonly string[] | undefined) {
    expect(figures).not.toEqual([]);
    for (const figure of figures ?? ['']) await page.getByRole('definition').getByText(figure).first().waitFor();
  }
  const givenFile = (page: Page, name: string, content: string) =>
    page.getByLabel('Choose files or drop them here').setInputFiles({
      ...{ name, mimeType: 'application/json', buffer: Buffer.from(content) },
    });

  const terse = (page: Page) => page.getByText('No irregularities: every record matches its terms.', { exact: true });

  test('WB-51: a plan’s audit is what npx bowline show prints', async () => {
    const { page, complaints } = await open('/check/plan/1');
    await terse(page).waitFor();
    expect(complaints).toEqual([]);
    expect(await page.title()).toBe('Check plan 1 · Bowline');
    const table = page.getByRole('table');
    await expect.poll(() => table.getByText('not available').count()).toBe(2);
    await page.getByText('Evidence not available: 2 records.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const text = await printed('plan', '1');
    expect(text).toContain('1 run, 1 deferral; paid 100 USDT');
    await shows(page, text.match(/paid (100 USDT), received (\S+ BTCB), on average (\S+ \S+)/)?.slice(1));
  });

  test('AU-4: evidence from a file is judged in a worker, and one changed byte turns it red', async () => {
    const { page, complaints } = await open('/check/plan/1');
    await terse(page).waitFor();
    await givenFile(page, 'evidence.json', text);
    const run = page.locator('#record-1');
    await run.getByText('follows').waitFor();
    expect(page.workers().length).toBe(1);
    await page.getByText('1 verdict re-evaluated, no differences').waitFor();
    await page.getByText('Evidence not available: 1 record.').waitFor();
    expect(complaints).toEqual([]);

    const at = text.indexOf('"1000"');
    const changed = `${text.slice(0, at)}"1001"${text.slice(at + 6)}`;
    await page.reload();
    await givenFile(page, `${hash(text)}.json`, changed);
    await run.getByText('document changed').waitFor();
    await page.getByText('1 record not supported by the evidence').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // Without a hash in the name, the page cannot tell which record the file belongs to.
    await page.reload();
    await givenFile(page, 'mirror.json', changed);
    await page.getByText('mirror.json matches no record of this plan').waitFor();
    await run.getByText('not available').waitFor();
    // Pasting an answer that contains the right document fixes it.
    await page.getByText('Paste a document').click();
    await page.getByLabel('Document', { exact: true }).fill(JSON.stringify({ evidence: text }));
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await run.getByText('follows').waitFor();
    // The server's agent is dead, and says so.
    await page.getByRole('button', { name: 'Get them from this page’s server' }).click();
    await page.getByText('The agent is not responding. Try again in a moment.', { exact: true }).waitFor();
  });

  test('WB-53: the executor’s report card is what npx bowline show prints', async () => {
    const { page, complaints } = await open('/check/executor', { size: 'phone', colours: 'dark' });
    await page.getByText('the only plan in the registry').waitFor();
    await page.getByText('1 × ').first().waitFor();
    expect(complaints).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    const text = await printed('executor', contracts.swapExecutor);
    expect(text).toContain('1 run: 1 within 900 s');
    await shows(page, ['1 of 1']);
    await shows(page, text.match(/above the floor: median (\S+) %?/)?.slice(1));
    await page.getByRole('link', { name: 'Audit of plan 1' }).click();
    await page.getByRole('heading', { name: 'Audit of plan 1' }).waitFor();
  });

  test('an audit reads from the node that its reader names, of those that the operator allows', async () => {
    const { page } = await open('/check/plan/1');
    await terse(page).waitFor();
    await page.context().route(`${node.url}/**`, (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('could not be read').first().waitFor();
    const field = page.getByLabel(`Read from another node: ${local.url}`);
    for (const refused of ['http://127.0.0.1:1', node.url, 'nothing']) {
      await field.fill(refused);
      await page.getByRole('button', { name: 'Use this node' }).click();
      await page.getByText('This node could not be reached.').waitFor();
    }
    await field.fill(local.url);
    await page.getByRole('button', { name: 'Use this node' }).click();
    await page.getByText(`as reported by node ${new URL(local.url).host}`).waitFor();
    await terse(page).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use the page’s node' }).click();
    await page.getByText(`as reported by node ${new URL(node.url).host}`).waitFor();
  });

  test('WB-51: a guard’s audit is what npx bowline show prints', async () => {
    const { page, complaints } = await open('/check/guard/1', { colours: 'dark' });
    await terse(page).waitFor();
    await page.getByText('reached').waitFor();
    expect(complaints).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    const text = await printed('guard', '1');
    expect(text).toContain('1 rescue, ');
    // The page separates thousands.
    await shows(page, text.match(/1 rescue, \d*?(\d{1,3}\.\d+ USDT) repaid/)?.slice(1));
  });

  test('WB-51: what does not exist, and what cannot be read, is said', async () => {
    const { page } = await open('/check/guard/2');
    await page.getByText('Guard 2 does not exist.').waitFor();
    await page.goto(`${web.url}/check/plan/2`);
    await page.getByText('Plan 2 does not exist.').waitFor();
    await page.goto(`${web.url}/check/loan/2`);
    await page.getByText('Page not found').waitFor();
    await page.context().route(`${node.url}/**`, (route) => route.abort());
    await page.goto(`${web.url}/check/plan/1`);
    await page.getByText('Audit of plan 1 could not be read').waitFor();
    expect(await terse(page).count()).toBe(0);
  });

  async function answerAt(timestamp: bigint, key: Hex = localKeys.verdict) {
    const fair = fairProposal();
    const { chain: facts, exchange = 'off' } = fair;
    const shift = <Value>(value: Value): Value =>
      typeof value === 'bigint'
        ? ((value === NOW ? timestamp : value) as Value)
        : Array.isArray(value)
          ? (value.map(shift) as Value)
          : typeof value === 'object' && value !== null
            ? (Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shift(each)])) as Value)
            : value;
    const proposal: Proposal = {
      ...fair,
      readAt: timestamp,
      chain: shift(facts),
      exchange: shift(exchange),
      pyth: 'off',
    };
    const { verdict, text: document } = evidence(proposal);
    const swap = { tokenIn: USDT.address, tokenOut: BTCB.address };
    const ticket = ticketOf(proposal, swap, verdict, hash(document));
    const signer = createTicketSigner(privateKeyToAccount(key), localChainId, contracts.planRegistry);
    const { name, version, chainId, verifyingContract } = signer.domain;
    return {
      ...{ verdict, evidence: document },
      ticket: {
        ...{ token_in: ticket.tokenIn, token_out: ticket.tokenOut, verdict: ticket.verdict },
        ...{ max_price_wad: `${ticket.maxPriceWad}`, max_amount_in: `${ticket.maxAmountIn}` },
        ...{ issued_at: `${ticket.issuedAt}`, expires_at: `${ticket.expiresAt}`, evidence_hash: ticket.evidenceHash },
        ...{ signer: signer.address, signature: await signer.sign(ticket) },
        domain: { name, version, chain_id: chainId, verifying_contract: verifyingContract },
      },
    };
  }

  test('WB-51: a ticket from a link is verified, and nothing of it is sent', async () => {
    // No ticket counts as in force while the chain stands still.
    await chain.mine({ blocks: 1 });
    const { timestamp } = await chain.getBlock();
    const answer = await answerAt(timestamp);
    const { page, complaints } = await open('/ask');
    await page.clock.install();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url() + (request.postData() ?? '')));
    const fragment = await fragmentOf(JSON.stringify(answer));
    await page.goto(`${web.url}/check/ticket#${fragment}`);
    await page.getByText('Signed by this deployment, in force, and follows from its evidence').waitFor();
    await page.getByRole('definition').getByText(answer.ticket.signer).waitFor();
    await page.getByRole('definition').getByText('0x55d398326f99059fF775485246999027B3197955').waitFor();
    await page.getByText(/^Expires$/).waitFor();
    await page
      .getByText(/UTC|GMT/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
    for (const sent of requests) {
      expect(sent).not.toContain(fragment.slice(0, 40));
      expect(sent).not.toContain(answer.ticket.signature.slice(2, 40));
      expect(sent).not.toContain(answer.ticket.evidence_hash.slice(2));
    }
    // The ticket expires while it is shown.
    await page.clock.fastForward(130_000);
    await page.getByText('Genuine, but expired').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    expect(await page.getByLabel('Link. Nothing after the # is sent to a server.').inputValue()).toContain(
      '/check/ticket#H4sI',
    );
  });

  test('by a node that is behind, a ticket is not called in force', async () => {
    const { timestamp } = await chain.getBlock();
    const text = JSON.stringify(await answerAt(timestamp));
    // Twenty minutes later the ticket has expired on the chain, but not for a node that is still behind.
    await chain.mine({ blocks: 120, interval: 10 });
    const { page } = await open('/ask');
    await page.clock.install({ time: Number((await chain.getBlock()).timestamp) * 1_000 });
    await node.behave({ kind: 'behind', blocks: 120n });
    await page.goto(`${web.url}/check/ticket#${await fragmentOf(text)}`);
    await page.getByText(/Genuine, but expired|expiry unknown/).waitFor();
    expect(await page.getByText(/in force/).count()).toBe(0);
    // A new ticket is not called in force either, because that node cannot tell.
    const fresh = JSON.stringify(await answerAt((await chain.getBlock()).timestamp));
    await page.getByLabel('Ticket, or the answer that contains it, as JSON').fill(fresh);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Signed by this deployment, expiry unknown').waitFor();
    expect(await page.locator('.badge.good').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await node.behave({ kind: 'honest' });
    await page.getByText('Signed by this deployment, in force, and follows from its evidence').waitFor();
    // The page reports a file that is too large.
    const buffer = Buffer.alloc(1_000_001, ' ');
    await page.getByLabel('Or a file').setInputFiles({ name: 'log.json', mimeType: 'application/json', buffer });
    await page.getByText('This file is too large').waitFor();
  });

  test('WB-51: wrong tickets are red, with the named problem', async () => {
    const { timestamp } = await chain.getBlock();
    const answer = await answerAt(timestamp);
    const { page } = await open('/check/ticket', { size: 'phone' });
    const paste = async (given: unknown, title: string) => {
      await page.getByLabel('Ticket, or the answer that contains it, as JSON').fill(JSON.stringify(given));
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.getByRole('alert').getByText(title).waitFor();
      expect(await page.getByText('Signed by this deployment,').count()).toBe(0);
    };
    await paste({ ...answer.ticket, max_amount_in: '1' }, 'The signature is not from the signer it names');
    await paste(await answerAt(timestamp, localKeys.keeper), 'It is not signed by this deployment');
    await paste(
      { ...answer, evidence: answer.evidence.replace('"1000"', '"1001"') },
      'It does not follow from its evidence',
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    await paste({}, 'This is not a ticket');
    await page.goto(`${web.url}/check/ticket#H4sIAAAA`);
    await page.getByText('This link has no readable ticket').waitFor();
    // Old, but otherwise good.
    await page
      .getByLabel('Ticket, or the answer that contains it, as JSON')
      .fill(JSON.stringify(await answerAt(NOW - 1_000_000_000n)));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Genuine, but expired').waitFor();
    // Without its evidence the signature is all there is.
    await page.getByLabel('Ticket, or the answer that contains it, as JSON').fill(JSON.stringify(answer.ticket));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const signedOnly = page.getByText('Evidence not available: only the signature vouches');
    await signedOnly.waitFor();
    // The page says nothing about a text that was not verified.
    await page.getByLabel('Ticket, or the answer that contains it, as JSON').fill('{"ticket":{}}');
    expect(await signedOnly.count()).toBe(0);
    expect(await page.getByText('Signed by this deployment').count()).toBe(0);
  });

  test('a guard that pays out of a deposit is found by its key', async () => {
    const { page } = await open('/check');
    await page.getByLabel('Number').fill('collateral-1');
    expect(await page.getByRole('button', { name: 'Audit plan' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Audit guard' }).click();
    await page.waitForURL('**/check/guard/collateral-1');
  });

  test('WB-11: no section is wider than 320 pixels, in light and dark', async () => {
    for (const colours of ['light', 'dark'] as const) {
      const { page } = await open('/check', { size: 'phone', colours });
      await page.setViewportSize({ width: 320, height: 800 });
      const answer = await answerAt((await chain.getBlock()).timestamp);
      for (const path of [
        '/check',
        '/check/plan/1',
        '/check/executor',
        `/check/ticket#${await fragmentOf(JSON.stringify(answer))}`,
      ]) {
        await page.goto(web.url + path);
        await page.waitForLoadState('networkidle');
        await page
          .getByRole('main')
          .getByRole('heading')
          .nth(path === '/check' ? 0 : 1)
          .waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320);
        expect(await accessibilityProblems(page), `${path} ${colours}`).toEqual([]);
      }
      await page.close();
    }
  });

  // Must come last: it stops the server.
  test('WB-51: after the page was loaded, audits, evidence and tickets need no server of ours', async () => {
    const answer = await answerAt((await chain.getBlock()).timestamp);
    const { page, complaints } = await open('/ask');
    // Waits for each preloaded file, in any order, because the network also goes idle between two of them.
    const isLoaded = (name: string) =>
      `performance.getEntriesByType('resource').some((each) => each.name.includes('/${name}-') && each.responseEnd > 0)`;
    for (const name of ['check', 'others', 'judge-worker']) {
      await expect.poll(() => page.evaluate(isLoaded(name)), { message: name, timeout: 20_000 }).toBe(true);
    }
    await page.waitForLoadState('networkidle');
    await web.stop();
    const go = async (path: string) => {
      await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    };
    await go('/check/plan/1');
    await terse(page).waitFor();
    await givenFile(page, 'evidence.json', text);
    await page.locator('#record-1').getByText('follows').waitFor();
    await page.getByRole('button', { name: 'Get them from this page’s server' }).click();
    await page.getByText('page server is not responding').first().waitFor();
    await page.locator('#record-0').getByText('not available').waitFor();
    await go('/check/executor');
    await page.getByText('the only plan in the registry').waitFor();
    await go(`/check/ticket#${await fragmentOf(JSON.stringify(answer))}`);
    await page.getByText('Signed by this deployment, in force, and follows from its evidence').waitFor();
    expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
  });
});
