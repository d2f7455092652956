// How a figure grows with the number of proxies: the exponent of a power that fits it best.

/** The slope of log(value) over log(size), by least squares; undefined with fewer than two sizes. */
export function exponent(points: readonly { size: number; value: number }[]): number | undefined {
  if (points.length < 2) return undefined;
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ value }) => Math.log(value));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const above = xs.reduce((sum, x, index) => sum + (x - meanX) * ((ys[index] ?? 0) - meanY), 0);
  const below = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  return above / below;
}
