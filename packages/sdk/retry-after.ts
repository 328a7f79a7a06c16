/** After how many seconds to ask again; undefined if the response does not say so in seconds. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
