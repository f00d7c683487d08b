import { InvalidFilter } from '../errors.ts'
import { describe } from '../values/describe.ts'
import { equalsObject } from './equality.ts'
import { asList, toEqualOperand, unmatchable } from './operand.ts'
import type { Operator } from './operator.ts'

/** `inq` and `nin`. */
export interface ListOperators<V> {
  inq?: readonly (V | null)[]
  nin?: readonly (V | null)[]
}

const list = (name: string, negated: boolean, description: string): Operator => ({
  compile: (tested, operand, { budget }) => {
    const items = asList(operand)
    if (items === undefined)
      throw new InvalidFilter(`${name} on ${tested.key} must be a list, not ${describe(operand)}`)
    budget.list(items.length)
    const objects = items.flatMap((item) => equalsObject(tested, item) ?? [])
    if (objects.length > 0)
      throw new InvalidFilter(`${name} on ${tested.key} cannot list points: join conditions by "or"`)
    const values = items.map((item) => toEqualOperand(tested, item)).filter((item) => item !== unmatchable)
    // LB3: dates in lists are compared as objects and never equal, pinned by the recording filter/lists
    const usable = tested.ignoresDatesInLists ? values.filter((item) => !(item instanceof Date)) : values
    return { kind: 'test', path: tested.path, type: tested.type, test: 'in', values: usable, negated }
  },
  schema: (value) => ({ type: 'array', items: { anyOf: [value, { type: 'null' }] }, description }),
  comparesValues: true
})

/** The value is one of several. */
export const inq = list('inq', false, 'one of these')
/** The value is none of several. */
export const nin = list('nin', true, 'none of these')
