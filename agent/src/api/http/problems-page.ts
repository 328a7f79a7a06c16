import { problemCodes, problems, titles } from '@bowline/http/problems';

/** docs/problems.md without the rest of the documentation, which the page's server has: plain text under a heading for each code. */
export function problemsPage(): string {
  const sections = problemCodes.map((code) => {
    const { status, meaning, remedy } = problems[code];
    return `<h2 id="${code}">${code}</h2>
<p>${status} ${titles[status]}. ${html(meaning)}</p>
<p>What to do: ${html(remedy)}</p>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problems – Bowline</title>
<h1>Problems</h1>
${sections.join('\n')}
</html>
`;
}

/** Our own text, with Markdown's backticks. */
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
