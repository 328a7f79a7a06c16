import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { build } from 'vite';
import type { Doing } from '../../lab/gallery/scene.ts';
import { accessibilityProblems, launchBrowser } from './browser.ts';
import { serveGallery } from './gallery/serve.ts';
import { writeSheet } from './gallery/sheet.ts';

// `npm run lab -- gallery`: every section in every state, at two sizes and in two themes, from fixtures
// (lab/gallery/), in a real browser without a chain. Writes the pictures that differ in kind; with --check, compares
// them with the committed ones instead. Either way, axe must find no problem in any state, and none may be wider than
// its window, from 320 pixels up. Exits with 1 if a state has such a problem or a picture differs.

const { values } = parseArgs({
  options: {
    /** Compare with the committed pictures, and write none. */
    check: { type: 'boolean', default: false },
    /** Only the sections whose name contains it. */
    section: { type: 'string', default: '' },
    /** Write one picture of a whole section, for viewing, to .cache/gallery-sheets/. */
    sheets: { type: 'boolean', default: false },
  },
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}lab/gallery/pictures/`;
const widths = { phone: 360, desktop: 1280 } as const;
const themes = ['light', 'dark'] as const;
/** The narrowest width that the page supports. Only axe checks it; no picture is taken. */
const NARROWEST = 320;
const MIN_HEIGHT = 640;
/** Noon of the fixtures' day. */
const NOON = new Date('2026-11-23T12:00:00Z');
/** Keeps the files small: dark pictures differ from light ones only in their colours. */
const scales = { light: 0.5, dark: 0.35 } as const;
const QUALITY = 40;
/** How many pixels may differ: far fewer than a letter has. */
const TOLERANCE = 12;

const complaints: string[] = [];
const differences: string[] = [];
let [taken, bytes] = [0, 0];

await build({ configFile: `${root}lab/gallery/vite.config.ts`, logLevel: 'error' });
const server = await serveGallery();
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
  await keepHome(context);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => complaints.push(`the page threw: ${message}`));
  await page.clock.setFixedTime(NOON);
  await page.goto(server.url);
  await page.waitForFunction('globalThis.bowlineGallery !== undefined');
  const devtools = await context.newCDPSession(page);
  const { sections, states } = (await page.evaluate(
    '({ sections: bowlineGallery.sections, states: bowlineGallery.states })',
  )) as { sections: string[]; states: string[] };
  // Loads here what loads on first display: React delays such a change by a third of a second.
  for (const section of sections) await open(page, section, 'good', 400);
  for (const section of sections.filter((name) => name.includes(values.section))) {
    const pictures: Picture[] = [];
    if (!values.check) rmSync(folder + section.replaceAll(' ', '-'), { recursive: true, force: true });
    for (const state of states) pictures.push(...(await scene(page, devtools, section, state)));
    if (values.sheets)
      await writeSheet(browser, `${root}.cache/gallery-sheets/${section.replaceAll(' ', '-')}`, pictures);
    process.stdout.write(`${section}\n`);
  }
} finally {
  await browser.close();
  await server.stop();
}
process.stdout.write(`${taken} pictures, ${Math.round(bytes / 1_000)} kB\n`);
for (const problem of [...complaints, ...differences]) process.stdout.write(`FAILED ${problem}\n`);
if (differences.length > 0)
  process.stdout.write('If they are meant to differ: npm run lab -- gallery, look at them, and commit them.\n');
process.exitCode = complaints.length + differences.length > 0 ? 1 : 0;

interface Picture {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The pictures that differ in kind: each section on a light desktop and on a dark phone, and every state of one section. */
function isKept(section: string, state: string, size: string, theme: string): boolean {
  if ((size === 'desktop') !== (theme === 'light')) return false;
  return state === 'good' || (section === 'plans' && size === 'desktop');
}

/** Blocks requests to anything but this machine. */
async function keepHome(context: BrowserContext): Promise<void> {
  await context.route('**', (route) => {
    const { hostname } = new URL(route.request().url());
    if (hostname === '127.0.0.1') return route.continue();
    complaints.push(`asked ${hostname}`);
    return route.abort();
  });
}

async function scene(page: Page, devtools: CDPSession, section: string, state: string): Promise<Picture[]> {
  const name = `${section}, ${state}`;
  if (!(await open(page, section, state))) return [];
  const pictures: Picture[] = [];
  for (const [size, width] of Object.entries(widths)) {
    for (const theme of themes) {
      await look(page, width, theme);
      const height = await unfold(page, width);
      const path = `${section}/${state}-${size}-${theme}.webp`.replaceAll(' ', '-');
      if (values.sheets) pictures.push({ name: path, bytes: await take(devtools, { width, height, scale: 1 }) });
      await judge(page, `${name}, ${width} px, ${theme}`);
      if (!isKept(section, state, size, theme)) continue;
      await keepOrCompare(page, path, await take(devtools, { width, height, scale: scales[theme] }));
    }
  }
  for (const theme of themes) {
    await look(page, NARROWEST, theme);
    await judge(page, `${name}, ${NARROWEST} px, ${theme}`);
  }
  return pictures;
}

/** Shows a scene and performs its actions; returns whether the scene exists. */
async function open(page: Page, section: string, state: string, quietMs = 60): Promise<boolean> {
  await look(page, widths.desktop, 'light');
  const doing = (await page.evaluate(`bowlineGallery.show(${JSON.stringify(section)}, ${JSON.stringify(state)})`)) as
    | readonly Doing[]
    | string;
  if (typeof doing === 'string') return false;
  try {
    for (const each of doing) await act(page, each);
    await page.evaluate(`bowlineGallery.settled(${quietMs})`);
  } catch (error) {
    complaints.push(`${section}, ${state}: ${(error as Error).message.split('\n')[0]}`);
  }
  return true;
}

async function act(page: Page, doing: Doing): Promise<void> {
  const patience = { timeout: 20_000 };
  if ('press' in doing) {
    const button = page.getByRole('button', { name: doing.press });
    await button
      .or(page.locator('summary').filter({ hasText: doing.press }))
      .first()
      .click(patience);
  } else if ('fill' in doing) await page.getByLabel(doing.fill).first().fill(doing.with, patience);
  else await page.getByText(doing.see).first().waitFor(patience);
}

async function look(page: Page, width: number, colorScheme: (typeof themes)[number]): Promise<void> {
  await page.setViewportSize({ width, height: MIN_HEIGHT });
  await page.emulateMedia({ colorScheme });
}

/** Makes the window as tall as the content: otherwise elements fixed to its edge would appear in the middle. */
async function unfold(page: Page, width: number): Promise<number> {
  await page.mouse.move(0, 0);
  await page.evaluate('bowlineGallery.settled(60)');
  const height = Math.max(MIN_HEIGHT, Number(await page.evaluate('document.documentElement.scrollHeight')));
  await page.setViewportSize({ width, height });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return height;
}

async function take(devtools: CDPSession, clip: { width: number; height: number; scale: number }): Promise<Buffer> {
  const how = { format: 'webp', quality: QUALITY, clip: { x: 0, y: 0, ...clip } } as const;
  return Buffer.from((await devtools.send('Page.captureScreenshot', how)).data, 'base64');
}

async function judge(page: Page, name: string): Promise<void> {
  for (const problem of await accessibilityProblems(page)) complaints.push(`${name}: ${problem}`);
  const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (beyond > 0) complaints.push(`${name}: ${beyond} pixels wider than the window`);
}

async function keepOrCompare(page: Page, path: string, picture: Buffer): Promise<void> {
  bytes += picture.length;
  taken++;
  const file = folder + path;
  if (!values.check) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
    return;
  }
  const committed = await Promise.resolve()
    .then(() => readFileSync(file))
    .catch(() => undefined);
  if (committed === undefined) return void differences.push(`${path}: there is no committed picture`);
  if (committed.equals(picture)) return;
  const both = [committed, picture].map((each) => JSON.stringify(each.toString('base64'))).join(', ');
  const differing = (await page.evaluate(`bowlineGallery.difference(${both})`)) as number | undefined;
  if (differing === undefined) differences.push(`${path}: of another size than the committed one`);
  else if (differing > TOLERANCE) differences.push(`${path}: ${differing} pixels differ`);
}
