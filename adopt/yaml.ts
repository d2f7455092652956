// YAML as people write it, which the Pulumi CLI and every other reader understand in the same way.

/** What has no quotes: no reader takes it for anything but text. */
const PLAIN = /^[A-Za-z_/]([\w./:@-]*[\w/])?$/;
/** Words that some readers take for something else: https://yaml.org/type/bool.html */
const RESERVED = /^(y|yes|n|no|true|false|on|off|null)$/i;
/** What JSON leaves as it is and YAML does not take, or takes for a line break. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** A value, as JSON has them, as lines of block YAML. */
export function yamlLines(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item) => {
      const [first = "", ...rest] = yamlLines(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [scalar(value)];
  return Object.entries(value as Record<string, unknown>)
    .filter(([, inner]) => inner !== undefined)
    .flatMap(([key, inner]) => {
      const lines = yamlLines(inner);
      const isNested = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
      return isNested
        ? [`${scalar(key)}:`, ...lines.map((line) => `  ${line}`)]
        : [`${scalar(key)}: ${lines[0] ?? ""}`];
    });
}

function scalar(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
