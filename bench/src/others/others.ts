import { feathers } from './feathers.ts'
import { loopback } from './loopback.ts'
import type { Other } from './other.ts'
import { platformatic } from './platformatic.ts'

/** The name of another framework. */
export type OtherName = 'loopback' | 'feathers' | 'platformatic'

/** All others, by the name of `--others`. */
export const others: Readonly<Record<OtherName, Other>> = { loopback, feathers, platformatic }

/** True for the name of another framework. */
export const isOther = (name: string): name is OtherName => Object.hasOwn(others, name)
