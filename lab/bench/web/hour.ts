import type { CDPSession, Page } from 'playwright-core';
import type { Chain } from '../../world/chain.ts';

// An hour of an open page in minutes: its clock and the chain's are moved on by one reading at a time, and the next one waits
// only for the answers. All 720 readings and blocks of the hour happen; what is left out is the waiting between them, and so
// whatever grows with real time alone.

const HOUR_SECONDS = 3_600;
const READING_SECONDS = 5;
/** By then everything has been read and loaded that stays. */
const WARM_SECONDS = 300;

export interface HourOfHeap {
  /** Bytes in use after a collection: when the page was warm, and at the end. */
  readonly before: number;
  readonly after: number;
  readonly readings: number;
  readonly requests: number;
}

/** @param page with its clock installed (`page.clock.install`), and what it shows on the screen. */
export async function hourOfHeap(page: Page, chain: Chain): Promise<HourOfHeap> {
  const devtools = await page.context().newCDPSession(page);
  let [open, requests] = [0, 0];
  page.on('request', () => {
    open++;
    requests++;
  });
  const closed = () => void open--;
  page.on('requestfinished', closed);
  page.on('requestfailed', closed);
  let before = 0;
  let readings = 0;
  for (let seconds = 0; seconds < HOUR_SECONDS; seconds += READING_SECONDS) {
    if (seconds === WARM_SECONDS) before = await used(devtools);
    await chain.increaseTime({ seconds: READING_SECONDS });
    await chain.mine({ blocks: 1 });
    await page.clock.runFor(READING_SECONDS * 1_000);
    readings++;
    // An answer leads to further questions in tasks that the page's own clock holds back.
    for (let quiet = 0; quiet < 3; quiet = open > 0 ? 0 : quiet + 1) {
      await page.clock.runFor(20);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return { before, after: await used(devtools), readings, requests };
}

/** Bytes in use after a collection. */
export async function used(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { readonly usedSize: number };
  return usedSize;
}
