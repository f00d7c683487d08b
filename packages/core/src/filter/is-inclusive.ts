import type { Bound } from '../contract/comparison.ts'

/** The value of the bound itself satisfies it. */
export const isInclusive = ({ is }: Bound): boolean => is === '>=' || is === '<='
