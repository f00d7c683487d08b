import { type Condition, isComposite, type ModelType } from '@modelwire/core/connector'
import {
  type AccessQuestion,
  bothConditions,
  bothFields,
  type Restriction,
  type FieldNames
} from '@modelwire/core/plugin'
import type { Awaitable } from '@modelwire/server'
import { type RowsCondition, rowsCondition } from '../rows/rows-condition.ts'
import type { RowsOf, Rule } from '../rules/rule.ts'
import type { AccessParts } from './verdicts.ts'

/** The properties of a model that a rule lets its callers read and set; undefined: all. */
interface PropertySets {
  readonly readable: ReadonlySet<string> | undefined
  readonly writable: ReadonlySet<string> | undefined
}

const everything: PropertySets = { readable: undefined, writable: undefined }

const setsByRule = new WeakMap<Rule, Map<ModelType, PropertySets>>()

/** A rule that allows a client to call a method of a model. */
export interface GrantingRule extends AccessQuestion {
  readonly rule: Rule | undefined
  /** Restricts the rule to these records. */
  readonly within?: Condition | undefined
}

/**
 * Returns what a rule lets a client see and change of a model; undefined: everything.
 * @throws what a call is refused with that is about no record at all; what is included is none then
 */
export type RestrictionOf = (granting: GrantingRule) => Awaitable<Restriction | undefined>

const isOfCall = (purpose: AccessQuestion['purpose']): boolean => purpose === 'operation' || purpose === 'nested'

/** Makes a `RestrictionOf`. */
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
  const toRows = async (granting: GrantingRule, rows: RowsOf): Promise<Restriction> => {
    const { model, client, method, purpose } = granting
    const where = await whereOfRows(rows, { model, client, method })
    if (where === undefined && isOfCall(purpose)) throw denials.of(model, client.principal, purpose)
    return make(granting, await rowsCondition(model, where))
  }
  return (granting) => {
    const { rows, fields, principalId } = granting.rule ?? {}
    if (rows !== undefined) return toRows(granting, rows)
    const isWhole = granting.within === undefined && fields === undefined && principalId !== '$owner'
    return isWhole ? undefined : make(granting, undefined)
  }
}

/** Some records of a model, and what a client may see of them. */
export interface RestrictedRecords {
  /** The records; undefined: all. */
  readonly records: Condition | undefined
  readonly restriction: Restriction | undefined
}

/**
 * Joins several restrictions, each for different records, into one. Properties are only shown if they are allowed for all
 * records that are read together.
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

/** Declared properties alone: what is not declared has no name that a rule could give. @param always those that are among them */
function setOf(
  model: ModelType,
  names: FieldNames | undefined,
  always: readonly string[]
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const declared = model.properties.map(({ name }) => name)
  const chosen = 'except' in names ? declared.filter((name) => !names.except.includes(name)) : names
  return new Set([...always, ...chosen])
}

/** The readable and settable properties of a rule. Returns the same sets each time, since serializers are cached by them. */
export function propertySets(model: ModelType, rule: Rule): PropertySets {
  const { fields } = rule
  if (fields === undefined) return everything
  const ofRule = setsByRule.get(rule) ?? new Map<ModelType, PropertySets>()
  setsByRule.set(rule, ofRule)
  const id = model.keyNames
  const sets = ofRule.get(model) ?? {
    readable: setOf(model, fields.read, id),
    // A record may be named by its parts, but who chooses them for a new one decides more than its id.
    writable: setOf(model, fields.write, isComposite(model) ? [] : id)
  }
  if (model.registry.sealed) ofRule.set(model, sets)
  return sets
}
