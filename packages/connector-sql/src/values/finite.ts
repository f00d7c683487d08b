/** The number, infinite ones as the greatest that databases know: a comparison with them has the same result. */
export function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
}
