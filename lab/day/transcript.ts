import { wrap } from '../world/start/screen.ts';
import type { Typed } from './stage.ts';

// Renders what was played as a page for operators.

/** A step that was played. */
export interface Told {
  readonly title: string;
  readonly why: string;
  readonly typed: readonly Typed[];
  readonly found: string;
}

const head = `# An operator's day

For anyone who will run the agent on BNB Chain. After this page, you have seen the commands of a deployment, in order, from the first
key to the last stop, and what each one prints.

\`npm run lab -- day\` wrote this page ([how](../operations.md#rehearse-and-check)), on a local chain with BNB Chain's ID (56), its rules, and the
published code of Venus, PancakeSwap and ERC-4337 at their own addresses, but without its money. You can run every command: they are
those of a real deployment. After each step, the chain is checked, and the result stands below. [Operate](../operations.md) gives the
reasons, and [MOCKS.md](../MOCKS.md) lists what stands in for the real thing.

The shell has \`CHAIN=bsc\`, \`RPC_URL\`, \`MARKET_DATA_URL\`, \`PYTH_URL=off\`, \`PUBLIC_URL\`, the data folders, \`EXECUTOR_INTERVAL_SECONDS=3\`, so
that nobody waits a quarter of an hour for a run, and what \`agent.env\` says at each step. Addresses and hashes, which differ in every run,
are \`0x…\`.
`;

/**
 * @param names pairs that replace what was true only of this day; if one begins with another, the longer comes first.
 */
export function pageOf(steps: readonly Told[], names: readonly (readonly [string, string])[]): string {
  const plain = (text: string) =>
    names
      .reduce((all, [was, is]) => all.replaceAll(was, is), text)
      .replace(/0x[0-9a-fA-F]{16,}…?/g, '0x…')
      .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
      .replaceAll('’', "'")
      .replace(/\r/g, '')
      .replace(/[ \t]+$/gm, '');
  const sections = steps.map(({ title, why, typed, found }, at) =>
    [
      `## ${at + 1}. ${title}`,
      wrapped(plain(why)),
      ...typed.map((each) => `\`\`\`text\n${plain(linesOf(each))}\n\`\`\``),
      wrapped(`**Checked:** ${plain(found)}.`),
    ].join('\n\n'),
  );
  return `${[head.trimEnd(), ...sections].join('\n\n')}\n`;
}

function linesOf({ command, env, output }: Typed): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} \\\n  `);
  return [`$ ${settings.join('')}${command}`, ...(output.trim() === '' ? [] : [output.trimEnd()])].join('\n');
}

/** Whether two pages are the same except for numbers. */
export const isSamePage = (one: string, other: string): boolean => withoutNumbers(one) === withoutNumbers(other);

const withoutNumbers = (text: string) => text.replace(/\d+(?:[.,:]\d+)*/g, '#').replace(/[ \t]+/g, ' ');

/** Wraps lines at 140 characters. */
const wrapped = (text: string): string => wrap(text, 140).join('\n');
