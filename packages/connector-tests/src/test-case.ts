import type { Collection, TestOf } from '@modelwire/core/connector'
import type { Test } from 'tap'
import type { FixtureModels } from './fixtures.ts'
import { createServer, type AddressInfo } from 'node:net'

type OperatorTest = { [K in 'equals' | 'in' | 'range']: Omit<TestOf<K>, 'kind' | 'path' | 'type'> }[
  | 'equals'
  | 'in'
  | 'range']

/** Operators whose operand a test holds as it is. */
export type ValueOperator = 'eq' | 'neq' | 'inq' | 'nin' | 'between' | keyof typeof bounds

const bounds = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** What a case works with: an empty database of its own. */
export interface CaseContext {
  readonly models: FixtureModels
  readonly collections: Readonly<Record<keyof FixtureModels, Collection>>
}

/** Shows one behaviour. */
export type RunCase = (t: Test, context: CaseContext) => Promise<void>

/** One thing that every connector does. */
export interface TestCase {
  /** A sentence of behaviour, and the key under which a connector declares that it does something else. */
  readonly name: string
  readonly run: RunCase
}

/** The test of an operator with its operand as it is: nothing is converted or refused. */
export function testWith(operator: ValueOperator, operand: unknown): OperatorTest {
  if (operator === 'eq' || operator === 'neq') return { test: 'equals', value: operand, negated: operator === 'neq' }
  // Lists and pairs are written by the caller.
  const list = operand as readonly [unknown, unknown]
  if (operator === 'inq' || operator === 'nin') return { test: 'in', values: list, negated: operator === 'nin' }
  if (operator !== 'between') return { test: 'range', bounds: [{ is: bounds[operator], value: operand }] }
  const [low, high] = list
  return {
    test: 'range',
    bounds: [
      { is: '>=', value: low },
      { is: '<=', value: high }
    ]
  }
}

/** A free port of this machine. */
export async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
