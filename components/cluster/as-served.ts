/**
 * A manifest as the API server writes it: quantities in their canonical form, without the zeros that it leaves out, and
 * without what it adds. `served` is what it made of that manifest; lists that somebody lengthened stay as they are.
 */
export function asServed(manifest: unknown, served: unknown): unknown {
  if (Array.isArray(manifest)) {
    if (!Array.isArray(served) || served.length !== manifest.length) return manifest;
    return manifest.map((item, index) => asServed(item, served[index]));
  }
  if (!isMap(manifest) || !isMap(served)) return served;
  const kept = Object.entries(manifest).filter(([key]) => Object.hasOwn(served, key));
  return Object.fromEntries(kept.map(([key, value]) => [key, asServed(value, served[key])]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
