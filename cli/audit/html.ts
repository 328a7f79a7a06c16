/**
 * Renders reports as a page that a browser opens offline: no scripts, no requests. Each line is a row. Problems, which
 * the reports write in capitals, are highlighted.
 */
export function pageOf(title: string, sections: readonly string[]): string {
  const name = `Bowline: ${escaped(title)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 100rem }
table { border-collapse: collapse; margin: 1rem 0; width: 100% }
th { text-align: left }
td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; padding: 0 .5rem; white-space: pre-wrap }
tr.wrong td { background: #fdd; color: #600 }
</style>
</head>
<body>
<h1>${name}</h1>
${sections.map(tableOf).join('\n')}
</body>
</html>
`;
}

function tableOf(section: string): string {
  const [heading = '', ...lines] = section.split('\n');
  const rows = lines
    .filter((line) => line !== '')
    .map((line) => `<tr${isWrong(line) ? ' class="wrong"' : ''}><td>${escaped(line)}</td></tr>`);
  return [`<table>`, `<tr><th>${escaped(heading)}</th></tr>`, ...rows, '</table>'].join('\n');
}

/** Two words in capitals, or one of the words that only mark a problem. */
const isWrong = (line: string): boolean => /^ *(IRREGULARITIES|DIFFERS|[A-Z]{2,} [A-Z]{2,})/.test(line);

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
