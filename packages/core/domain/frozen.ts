/** Deep-freezes JSON in place, so that everyone who shares it sees the same values. */
export function frozen<Json>(json: Json): Json {
  if (typeof json !== 'object' || json === null || Object.isFrozen(json)) return json;
  for (const each of Object.values(json)) frozen(each);
  return Object.freeze(json);
}
