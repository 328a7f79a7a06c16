/** "records 0 to 3, 7" for ascending numbers. */
export function spans(kind: string, numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return `${kind} ${found.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ')}`;
}
