/** Freezes JSON in place, with all that is in it: whoever is given it after another gets what the other got. */
export function frozen<Json>(json: Json): Json {
  if (typeof json !== 'object' || json === null || Object.isFrozen(json)) return json;
  for (const each of Object.values(json)) frozen(each);
  return Object.freeze(json);
}
