const place = /(<!-- figures:([a-z]+) -->\n)[\s\S]*?(<!-- \/figures -->)/g;

/**
 * The page with each table between its markers, `<!-- figures:NAME -->` and `<!-- /figures -->`, the names of its places, and of
 * those for a table that there is not.
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
