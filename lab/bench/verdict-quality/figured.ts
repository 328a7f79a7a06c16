const place = /(<!-- figures:([a-z]+) -->\n)[\s\S]*?(<!-- \/figures -->)/g;

/**
 * Fills each table between its markers, `<!-- figures:NAME -->` and `<!-- /figures -->`. Also returns the names of the
 * page's places, and of those places for which there is no table.
 */
export function figured(page: string, tables: Readonly<Record<string, string>>) {
  const names: string[] = [];
  const unknown: string[] = [];
  const text = page.replaceAll(place, (whole, begin: string, name: string, end: string) => {
    names.push(name);
    const table = tables[name];
    if (table === undefined) {
      unknown.push(name);
      return whole;
    }
    return `${begin}${table}\n${end}`;
  });
  return { text, names, unknown };
}
