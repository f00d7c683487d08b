import type { Side } from './application.ts'

/** A value that each side made itself, such as the id of a record or a token. */
export interface Pair {
  readonly [isPair]: true
  readonly loopback: unknown
  readonly modelwire: unknown
}

const isPair = Symbol('pair')

/** What LoopBack and Modelwire call the same thing; where Modelwire has nothing, LoopBack's. */
export function pairOf(loopback: unknown, modelwire: unknown): Pair {
  return { [isPair]: true, loopback, modelwire: modelwire ?? loopback }
}

const isA = (value: object): value is Pair => isPair in value

/** `value` as one side gets it, with its own values in place of pairs at any depth. */
export function valueFor(side: Side, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isA(value)) return value[side]
  if (Array.isArray(value)) return value.map((item: unknown) => valueFor(side, item))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, valueFor(side, item)]))
}
