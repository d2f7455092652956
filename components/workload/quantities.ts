/** Kubernetes' quantities as exact numbers: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */

/** Kubernetes caps every quantity at the highest 64-bit number. */
const MAX = (2n ** 63n - 1n) * 1000n;
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * A quantity in thousandths of its unit, rounded up and capped as the API server does it for requests and limits;
 * undefined for what is none.
 */
export function milliUnits(quantity: string): bigint | undefined {
  const match = /^\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2})|([a-zA-Z]*))$/.exec(quantity);
  const [, whole = "", fraction = "", exponent, suffix = ""] = match ?? [];
  if (whole + fraction === "") return undefined;
  const digits = BigInt(whole + fraction);
  const binary = BINARY_SUFFIXES.indexOf(suffix) + 1;
  if (binary > 0) return scaled(digits * 1024n ** BigInt(binary), 3 - fraction.length);
  const decimal = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimal === -1) return undefined;
  return scaled(
    digits,
    3 - fraction.length + (exponent === undefined ? (decimal - 3) * 3 : Number(exponent)),
  );
}

/** `value` times ten to the power of `exponent`, rounded up and capped. */
function scaled(value: bigint, exponent: number): bigint {
  const divisor = 10n ** BigInt(Math.max(-exponent, 0));
  const rounded = exponent >= 0 ? value * 10n ** BigInt(exponent) : (value + divisor - 1n) / divisor;
  return rounded < MAX ? rounded : MAX;
}

/** Whether a quantity is a whole number of its unit. */
export function isWhole(quantity: string): boolean {
  const milli = milliUnits(quantity);
  return milli !== undefined && milli % 1000n === 0n;
}
