import { problemCodes, problems, titles } from '@bowline/http/problems';

/** docs/problems.md: the `type` of each problem links to its code there. */
export function problemsDocument(): string {
  const sections = problemCodes.map((code) => {
    const { status, meaning, remedy } = problems[code];
    return `## ${code}\n\n${wrapped(`${status} ${titles[status]}. ${meaning} ${remedy}`)}\n`;
  });
  return `# Problems

<!-- Made by npm run lab -- settings from packages/http/problems.ts. -->

Every error of the HTTP APIs is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): \`code\` is one of the names
below, \`type\` links to its section on this page, \`detail\` describes the individual case, and \`reason\` distinguishes causes of one code
([reasons](reasons.md)). MCP and A2A use the same codes in their own formats.

${sections.join('\n')}`;
}

/** Lines of at most 140 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,140})(?: |$)/g, '$1\n').trimEnd();
