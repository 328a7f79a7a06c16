import { problemCodes, problems, titles } from '@bowline/http/problems';

/** docs/problems.md: the `type` of each problem leads to its code there. */
export function problemsDocument(): string {
  const sections = problemCodes.map((code) => {
    const { status, meaning, remedy } = problems[code];
    return `## ${code}\n\n${wrapped(`${status} ${titles[status]}. ${meaning}`)}\n\n${wrapped(`What to do: ${remedy}`)}\n`;
  });
  return `# Problems

<!-- Made by npm run settings from packages/http/problems.ts. -->

Every error of the HTTP APIs is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): \`code\` is one of the words
below, \`type\` leads to its section here, \`detail\` is a sentence about this one, and \`reason\` tells causes of one code apart
([reasons](reasons.md)). MCP and A2A name the same codes in their own forms.

${sections.join('\n')}`;
}

/** Lines of at most 140 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,140})(?: |$)/g, '$1\n').trimEnd();
