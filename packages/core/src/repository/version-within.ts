import type { Call } from '../contract/call.ts'
import type { ModelType, OptimisticLocking } from '../contract/model-type.ts'
import type { Restriction } from '../contract/restriction.ts'
import type { Row } from '../contract/row.ts'
import { InvalidArgument, PreconditionFailed } from '../errors.ts'
import { conditionWithin } from '../filter/restriction.ts'

const changed = (model: ModelType): PreconditionFailed =>
  new PreconditionFailed(`the ${model.name} has changed since it was read`)

/** A write as far as versions concern it. */
interface Versioned {
  readonly call: Call
  readonly restriction?: Restriction | undefined
}

/** What code may change: everything. */
const everything = (model: ModelType): Restriction => ({
  condition: undefined,
  readable: undefined,
  writable: undefined,
  asWhere: () => undefined,
  matches: () => true,
  testRows: () => undefined,
  deny: () => changed(model),
  denyProperty: (message) => new InvalidArgument(message)
})

/**
 * A restriction to records of one version, as a part of every statement of a write: it changes the record as it was seen, or
 * nothing, and then fails with {@link PreconditionFailed}.
 */
export function withinVersion(
  model: ModelType,
  { property }: OptimisticLocking,
  version: unknown,
  restriction = everything(model)
): Restriction {
  const isVersion = {
    kind: 'test',
    path: [property],
    type: { kind: 'string' },
    test: 'equals',
    value: version
  } as const
  return {
    ...restriction,
    condition: conditionWithin(restriction, isVersion),
    matches: (row: Row) => row[property] === version && restriction.matches(row),
    deny: () => changed(model)
  }
}

/**
 * A write of one record within the version that code names in the option `ifVersion`. Its call is without the option, since writes of
 * observers are about other records.
 * @throws {InvalidArgument} records of the model have no version, or the version is not a text
 */
export function withinCallersVersion<Writing extends Versioned>(model: ModelType, write: Writing): Writing {
  const { ifVersion, ...options } = write.call.options
  if (ifVersion === undefined) return write
  const { optimisticLocking } = model
  if (optimisticLocking === undefined)
    throw new InvalidArgument(`ifVersion: ${model.name} does not set optimisticLocking`)
  if (typeof ifVersion !== 'string') throw new InvalidArgument('ifVersion must be a version, which is a string')
  const restriction = withinVersion(model, optimisticLocking, ifVersion, write.restriction)
  return { ...write, call: { ...write.call, options }, restriction }
}

/** @throws {InvalidArgument} the option `ifVersion` is set, for a write that is not about one stored record */
export function refuseVersion(call: Call, method: string): void {
  if (call.options['ifVersion'] !== undefined)
    throw new InvalidArgument(`ifVersion: ${method} is not about one stored record`)
}
