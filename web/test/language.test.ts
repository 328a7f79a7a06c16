import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../lab/world/chain.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { deployContracts } from '../../lab/world/start/contracts.ts';
import { startPage } from '../../lab/world/start/page.ts';
import { freePort } from '../../test/local/free-port.ts';
import { withAddress } from '../app/ask/with-address.ts';
import { Explained } from '../app/parts/term.tsx';
import { failureOf, reasonIn } from '../app/words/contract-errors.ts';
import { checkName, inWords, sentence } from '../app/words/core-words.ts';
import { words } from '../app/words/en/frame.ts';
import { partWords } from '../app/words/en/parts.ts';
import { planWords } from '../app/words/en/plans.ts';
import { termWords } from '../app/words/en/terms.ts';
import { languageOf, speak } from '../app/words/language.ts';
import { every, when } from '../app/words/times.ts';
import * as zhCN from '../app/words/zh-CN/zh-CN.ts';
import { accessibilityProblems, launchBrowser, openPage } from './browser.ts';
import { keepAlive } from './heartbeat.ts';

const english = fileURLToPath(new URL('../app/words/en/', import.meta.url));

test('each word that people cannot know is explained once in a text, by one sentence in each language', () => {
  const explained = (text: string, isLabel = false): string[] => {
    const html = renderToStaticMarkup(createElement(Explained, { text, isLabel }));
    return [...html.matchAll(/<button type="button">([^<]+)<\/button>/g)].map(([, word = '']) => word);
  };
  expect(explained('A guard rescues. No guarded loan needs a second Guard, but weighted collateral.')).toEqual([
    'guard',
    'weighted collateral',
  ]);
  expect(explained('Cooldown after a rescue', true)).toEqual(['Cooldown']);
  expect(explained('Max per rescue', true)).toEqual([]);
  expect(partWords.terms).toEqual(Object.keys(termWords));
  expect(zhCN.partWords.terms).toEqual(Object.keys(zhCN.termWords));
  expect(zhCN.partWords.terms).toHaveLength(partWords.terms.length);
  for (const [terms, one] of [
    [termWords, /^[A-Z][^.]*(\d\.\d+[^.]*)*\.$/],
    [zhCN.termWords, /^[^。]+。$/],
  ] as const)
    expect(Object.values(terms).filter((sentence) => !one.test(sentence))).toEqual([]);
});

type Text = (...values: unknown[]) => unknown;

/** Each English text that takes values, with its Chinese counterpart. */
async function pairs(): Promise<{ readonly at: string; readonly english: Text; readonly other: unknown }[]> {
  const found: { at: string; english: Text; other: unknown }[] = [];
  const look = (at: string, each: unknown, other: unknown): void => {
    if (typeof each === 'function') found.push({ at, english: each as Text, other });
    else if (typeof each === 'object' && each !== null)
      for (const [key, text] of Object.entries(each)) look(`${at}.${key}`, text, Object(other)[key]);
  };
  for (const file of globSync('*.ts', { cwd: english })) {
    const texts: Readonly<Record<string, unknown>> = await import(english + file);
    for (const [name, each] of Object.entries(texts)) {
      if (typeof each === 'object') look(name, each, Object(zhCN)[name]);
    }
  }
  return found;
}

test('WB-144: a Chinese text takes every value that the English one takes', async () => {
  const all = await pairs();
  expect(all.length).toBeGreaterThan(300);
  const isOther = ({ english, other }: (typeof all)[number]) =>
    typeof other !== 'function' || other.length !== english.length;
  expect(all.filter(isOther).map(({ at }) => at)).toEqual([]);
});

/** How many of its values a text shows with grouped thousands; undefined if it takes other values. */
function groupsOf(text: Text): number | undefined {
  for (const value of [4_545, 4_545n]) {
    try {
      const said = text(...Array.from({ length: text.length }, () => value));
      return String(said).split('4,545').length - 1;
    } catch {
      // The text takes values of another type.
    }
  }
  return undefined;
}

test('a number in a Chinese sentence is grouped as in the English one', async () => {
  const grouped = (await pairs()).filter(({ english }) => (groupsOf(english) ?? 0) > 0);
  expect(grouped.length).toBeGreaterThan(30);
  const lacking = grouped.filter(({ english, other }) => (groupsOf(other as Text) ?? 0) < (groupsOf(english) ?? 0));
  expect(lacking.map(({ at }) => at)).toEqual([]);
});

/** What no native writer does: half-width marks, Latin letters next to Chinese, and a second word for one thing. */
const unnative =
  /[一-鿿][,;:?!()A-Za-z0-9]|[,;:?!)A-Za-z0-9%][一-鿿]|[，。：；？！（）、] | [，。：；？！（）、]|……|\.\.\.[一-鿿]|您|健康度|池子|公平|收回|看守者|停止一切|号守护|价格来源|此页面/;

test('a Chinese text has full-width marks, spaces beside Latin letters, and one word for one thing', () => {
  const wrong: string[] = [];
  let looked = 0;
  const look = (at: string, text: unknown): void => {
    if (typeof text === 'object' && text !== null) {
      for (const [key, each] of Object.entries(text)) look(`${at}.${key}`, each);
      return;
    }
    // For a function, this is its source with the templates.
    const said = String(text);
    if (/[一-鿿]/.test(said)) looked++;
    const found = unnative.exec(said);
    if (found) wrong.push(`${at}: ${found[0]}`);
  };
  look('zhCN', zhCN);
  expect(looked).toBeGreaterThan(900);
  expect(wrong).toEqual([]);
});

test('WB-144: the language is the one chosen here, or else the browser’s first that the page has', () => {
  for (const [chosen, preferred, language] of [
    [null, ['en-US'], 'en'],
    [null, ['zh-CN', 'en'], 'zh-CN'],
    [null, ['zh'], 'zh-CN'],
    [null, ['zh-Hans-SG'], 'zh-CN'],
    [null, ['de-DE', 'zh-CN', 'en'], 'zh-CN'],
    [null, ['en-GB', 'zh-CN'], 'en'],
    [null, ['zh-TW', 'en'], 'en'],
    [null, ['zh-HK'], 'en'],
    [null, [], 'en'],
    [null, ['en-US@posix'], 'en'],
    [null, ['C', 'zh-CN'], 'zh-CN'],
    ['en', ['zh-CN'], 'en'],
    ['zh-CN', ['en'], 'zh-CN'],
    ['klingon', ['zh-CN'], 'zh-CN'],
    ['toString', [], 'en'],
  ] as const) {
    expect(languageOf(chosen, preferred), `${chosen} ${preferred}`).toBe(language);
  }
});

test('WB-144: every text, reason, check, time and rhythm changes with the language, and back', () => {
  onTestFinished(() => speak('en', undefined));
  const told = () => [
    ...[
      words.frame.sections.plans,
      words.stop.title,
      planWords.status.active,
      inWords('no_debt'),
      sentence(inWords('no_debt')),
    ],
    ...[checkName('way_back'), every(86_400n), every(172_800n), when(1_795_435_200n).slice(0, 8)],
  ];
  const english = told();
  expect(english.slice(0, 8)).toEqual([
    ...['Plans', 'Stop everything', 'active', 'the loan has no debt', 'The loan has no debt.', 'Simulated trade back'],
    ...['every day', 'every 2 days'],
  ]);
  speak('zh-CN', zhCN);
  expect(told().slice(0, 8)).toEqual([
    ...['计划', '全部停止', '运行中', '贷款没有债务', '贷款没有债务。', '模拟换回', '每天', '每 2 天'],
  ]);
  expect(told()[8]).toMatch(/^2026年/);
  // Unknown words from outside stay unchanged.
  expect(inWords('something_else')).toBe('something else');
  expect(checkName('toString')).toBe('toString');
  speak('en', undefined);
  expect(told()).toEqual(english);
});

test('WB-144: in Chinese too, a failure says that nothing was sent, and its reason can stand without it', () => {
  onTestFinished(() => speak('en', undefined));
  speak('zh-CN', zhCN);
  const failure = failureOf(new Error('anything'));
  expect(failure.words).toBe('模拟失败，没有给出原因。未发送任何交易。');
  expect(reasonIn(failure)).toBe('模拟失败，没有给出原因。');
});

test('WB-144: a question in Chinese about one’s own loan or plans takes the address along, and no other does', () => {
  const owner = `0x${'1'.repeat(40)}` as const;
  for (const prompt of ['我的贷款安全吗？', '我有哪些计划？']) {
    expect(withAddress(prompt, owner)).toBe(`${prompt} (${owner})`);
  }
  for (const prompt of ['有哪些计划？', 'ETH 现在多少钱？', '我的计划 3 怎么样了？', '我该买 BTCB 吗？']) {
    expect(withAddress(prompt, owner)).toBe(prompt);
  }
});

test('the page in Chinese, and back to English without a new load', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const local = await startLocalChain();
  const stopBlocks = keepAlive(connect(local.url));
  onTestFinished(() => stopBlocks().then(() => local.stop()));
  const folder = '.cache/deployments/language';
  await deployContracts(local.url, folder, new AbortController().signal);
  const dead = `http://127.0.0.1:${await freePort()}`;
  const web = await startPage({
    ...{ port: await freePort(), agentUrl: dead, marketUrl: dead },
    ...{ rpcUrl: local.url, deployments: folder },
  });
  onTestFinished(() => web.stop());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { page, complaints } = await openPage(browser, {
    url: `${web.url}/loans`,
    rpcUrl: local.url,
    locale: 'zh-CN',
  });
  await page.getByRole('heading', { name: '贷款', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  await expect.poll(() => page.title()).toBe('贷款 · Bowline');
  await page.getByRole('heading', { name: '连接钱包以查看并守护你的贷款' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  // Typed text stays when the language changes.
  const field = page.locator('main input');
  await field.fill('0x12');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Loans', exact: true }).waitFor();
  expect(await field.inputValue()).toBe('0x12');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(await accessibilityProblems(page)).toEqual([]);
  // This browser keeps the choice, whatever language it prefers.
  await page.reload();
  await page.getByRole('heading', { name: 'Loans', exact: true }).waitFor();
  await page.getByRole('button', { name: '简体中文' }).click();
  await page.getByRole('heading', { name: '贷款', exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
