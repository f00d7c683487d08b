/** How often a property is tried where nothing asks for more. */
const usual = 100

/**
 * How often to try a property: `count` where all runs are asked for, at most 100 otherwise. `pnpm test:long` and
 * `TEST_SEED=random` ask for all.
 */
export function runs(count: number): number {
  return process.env['TEST_RUNS'] === 'all' ? count : Math.min(count, usual)
}
