// A recorded file is a row of blocks, each below a heading that no other has.

const mark = '=====';

export const block = (heading: string, text: string): string => `${mark} ${heading} ${mark}\n${text}`;

export const joined = (blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

/** The blocks of a file by their headings. */
export function byHeading(text: string): Map<string, string> {
  const parts = text.trimEnd().split(new RegExp(`(?:^|\\n\\n)${mark} (.+) ${mark}\\n`));
  const blocks = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2) blocks.set(parts[at] ?? '', parts[at + 1] ?? '');
  return blocks;
}
