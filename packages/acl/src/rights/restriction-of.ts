import type { Condition } from '@modelwire/core/connector'
import {
  type AccessQuestion,
  andThen,
  type Awaitable,
  bothConditions,
  bothFields,
  type Purpose,
  type Restriction
} from '@modelwire/core/plugin'
import { type PropertySets, propertySets } from '../fields/property-sets.ts'
import { type RowsCondition, rowsCondition } from '../rows/rows-condition.ts'
import type { Rule } from '../rules/rule.ts'
import type { AccessParts } from './access-parts.ts'

/** A rule that lets a client call a method of a model. */
export interface GrantingRule extends AccessQuestion {
  readonly rule: Rule | undefined
  /** Restricts the rule to these records. */
  readonly within?: Condition | undefined
}

/**
 * Makes what a rule lets a client see and change of a model; undefined: everything.
 * @throws what a call is refused with that is about no record at all; what is included is none then
 */
export type RestrictionOf = (granting: GrantingRule) => Awaitable<Restriction | undefined>

const isOfCall = (purpose: Purpose): boolean => purpose === 'operation' || purpose === 'nested'

/** Makes that function. */
export function makeRestrictionOf({ whereOfRows, ownsRecord, recheckOwner, denials }: AccessParts): RestrictionOf {
  const make = ({ rule, model, client, within }: GrantingRule, rows: RowsCondition | undefined): Restriction => {
    const { principal } = client
    const sets: PropertySets =
      rule === undefined ? { readable: undefined, writable: undefined } : propertySets(model, rule)
    const isOwners = rule?.principalId === '$owner' && recheckOwner
    const mayGiveAway = rule?.rows === '$owner' && !recheckOwner
    const staysOwn = (row: Readonly<Record<string, unknown>>): Promise<boolean> => ownsRecord(model, row, principal)
    const kept = mayGiveAway ? undefined : rows
    return {
      condition: bothConditions(within, rows?.condition),
      ...sets,
      asWhere: async () => rows?.asWhere(),
      matches: (row) => rows === undefined || rows.matches(row),
      testRows: async () => rows?.testRows(),
      admits:
        kept === undefined && !isOwners
          ? undefined
          : async (row) => (!isOwners || (await staysOwn(row))) && (kept === undefined || (await kept.matches(row))),
      admitsPatch: kept?.admitsPatch,
      deny: () => denials.ofRecords(model, principal),
      denyProperty: (message) => denials.ofProperty(model, principal, message)
    }
  }
  return (granting) => {
    const { rule, model, client, method, purpose, within } = granting
    const { rows, fields, principalId } = rule ?? {}
    if (rows === undefined) {
      const isWhole = within === undefined && fields === undefined && principalId !== '$owner'
      return isWhole ? undefined : make(granting, undefined)
    }
    return andThen(whereOfRows(rows, { model, client, method }), async (where) => {
      if (where === undefined && isOfCall(purpose)) throw denials.of(model, client.principal, purpose)
      return make(granting, await rowsCondition(model, where))
    })
  }
}

/** Some records of a model, and what a client may see of them. */
export interface RestrictedRecords {
  /** The records; undefined: all. */
  readonly records: Condition | undefined
  readonly restriction: Restriction | undefined
}

/**
 * One restriction of several, each for other records. Properties are shown where they are of all records that are read
 * together.
 */
export function joinRestrictions(parts: readonly RestrictedRecords[]): Restriction | undefined {
  const [first, ...others] = parts
  if (first === undefined || parts.every(({ restriction }) => restriction === undefined)) return undefined
  if (others.length === 0) return first.restriction
  const one = parts.find(({ restriction }) => restriction !== undefined)?.restriction
  if (one === undefined) return undefined
  const conditions = parts.map(({ records, restriction }) => bothConditions(records, restriction?.condition))
  const condition: Condition | undefined = conditions.includes(undefined)
    ? undefined
    : { kind: 'or', conditions: conditions.filter((each) => each !== undefined) }
  const readable = parts
    .map(({ restriction }) => restriction?.readable)
    .reduce((both, next) => bothFields(both, next), undefined)
  return { ...one, condition, readable }
}
