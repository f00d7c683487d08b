import {
  type AccessControl,
  type AccessQuestion,
  type KeyedRecords,
  type Restriction,
  repository
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { sharesScope, sameId } from '../identity/same-id.ts'
import type { Verdict } from '../rules/decide.ts'
import { allows, type Decision } from '../rules/decision.ts'
import type { Rule } from '../rules/rule.ts'
import { makeStandings, type Standing } from '../rules/standings.ts'
import { rowsCondition } from '../rows/rows-condition.ts'
import {
  type Controlling,
  noRecord,
  type VerdictQuestion,
  type AskRules,
  dependsOnRecord,
  walkRules,
  type AccessParts
} from './verdicts.ts'
import { restrictEachRecord } from './restrict-each-record.ts'
import { decidingKeys, decidingNames, type OwnershipOf } from '../roles/is-owner.ts'
import { type RestrictionOf, propertySets } from './restriction-of.ts'
import { callerKinds, decidingRule } from '../rules/caller-kinds.ts'

/** The dependencies for deciding what responses to writes show. */
interface ShownAfterParts {
  readonly parts: AccessParts
  readonly ask: AskRules
  readonly restrictionOf: RestrictionOf
  readonly standingOf: (model: ModelType, method: string) => Standing
}

const keepsProperties = (rule: Rule): boolean => rule.fields?.read !== undefined

type ClientQuestion = Pick<AccessQuestion, 'model' | 'client'>

const aboutAll = ({ client, model }: AccessQuestion, { call }: Standing): VerdictQuestion => ({
  client,
  model,
  call,
  target: noRecord
})

/** Of rules that depend on the record those of owners are taken for being about the client, and those that deny. */
const ofOwners = (rule: Rule): boolean => rule.principalId === '$owner' || !allows(rule)

/** An access control that decides by rules what clients may see and change. */
export class RuleAccessControl implements AccessControl {
  readonly shownAfter: AccessControl['shownAfter']
  readonly #controlling: Controlling
  readonly #standingOf: (model: ModelType, method: string) => Standing

  constructor(controlling: Controlling) {
    this.#controlling = controlling
    this.#standingOf = makeStandings(controlling.parts.stored)
    this.shownAfter = makeShownAfter({ ...controlling, standingOf: this.#standingOf })
  }

  async restrict(question: AccessQuestion, keyed?: KeyedRecords): Promise<Restriction | undefined> {
    if (this.#isOpen(question)) return undefined
    const { ask, parts } = this.#controlling
    const standing = this.#standingFor(question)
    const { allowed, rule } = await ask(await standing.now(), aboutAll(question, standing))
    if (allowed) return this.#restrictBy(rule, question)
    if (keyed !== undefined && areOfClient(question, keyed, parts.ownershipOf)) return this.#restrictOwned(question)
    throw this.#denial(question)
  }

  async restrictEach(
    question: AccessQuestion,
    readIds: () => Awaitable<readonly (readonly unknown[])[]>,
    keyed?: KeyedRecords
  ): Promise<Restriction | undefined> {
    if (this.#isOpen(question)) return undefined
    const { ask, parts } = this.#controlling
    const standing = this.#standingFor(question)
    const decision = await standing.now()
    if (keyed !== undefined && areOfClient(question, keyed, parts.ownershipOf)) {
      const { rule, allowed } = await this.#walk(decision, question, ofOwners)
      if (rule?.principalId === '$owner' && allowed) return this.#restrictOwned(question)
    }
    if (this.#dependsOnEachRecord(decision)) {
      const each = { question, call: standing.call, decision, deny: () => this.#denial(question) }
      return restrictEachRecord(each, await readIds(), this.#controlling)
    }
    const { allowed, rule } = await ask(decision, aboutAll(question, standing))
    if (!allowed) throw this.#denial(question)
    return this.#restrictBy(rule, question)
  }

  async refuse(question: AccessQuestion, keyed?: Pick<KeyedRecords, 'property'>): Promise<void> {
    if (this.#isOpen(question)) return
    const { ask, parts } = this.#controlling
    const standing = this.#standingFor(question)
    const decision = await standing.now()
    if (standing.isOfRecord) {
      if (!(await this.#walk(decision, question, allows)).allowed) throw this.#denial(question)
      return
    }
    const { allowed } = await ask(decision, aboutAll(question, standing))
    const mayBeOwn = keyed !== undefined && ownsByProperty(question, keyed.property, parts.ownershipOf)
    if (!allowed && !mayBeOwn) throw this.#denial(question)
  }

  settable(model: ModelType, methods: readonly string[]): ReadonlySet<string> | undefined {
    // Routes of other models set its properties by rules of theirs.
    if (this.#controlling.parts.nested === 'parent') return undefined
    return joinNames(methods.map((method) => settableNames(model, this.#standingOf(model, method).decision)))
  }

  #standingFor({ model, method }: AccessQuestion): Standing {
    return this.#standingOf(model, method)
  }

  #denial({ model, client, purpose }: AccessQuestion): Error {
    return this.#controlling.parts.denials.of(model, client.principal, purpose)
  }

  /** True if an option keeps LoopBack's more permissive behaviour. */
  #isLeftOpen({ purpose }: AccessQuestion): boolean {
    const { nested, checkIncludes } = this.#controlling.parts
    if (purpose === 'nested') return nested === 'parent'
    return purpose !== 'operation' && !checkIncludes
  }

  /** True if everyone may do it, so that no rule needs to be evaluated. */
  #isOpen(question: AccessQuestion): boolean {
    if (this.#isLeftOpen(question)) return true
    const { stored } = this.#controlling.parts
    const isEmpty = !stored.canHold() || stored.isEmpty()
    return isEmpty && this.#standingFor(question).isOpen && sharesScope(undefined, question.client.principal)
  }

  #restrictBy(rule: Rule | undefined, question: AccessQuestion): Awaitable<Restriction | undefined> {
    return this.#controlling.restrictionOf({ ...question, rule })
  }

  /** Restricts `findById` to what owners may read, even though no list shows it. */
  async #restrictOwned(question: AccessQuestion): Promise<Restriction | undefined> {
    const { parts, restrictionOf } = this.#controlling
    const lookup = { ...question, method: 'findById' }
    const verdict = await this.#walk(await this.#standingFor(lookup).now(), lookup, ofOwners)
    if (!verdict.allowed) throw this.#denial(question)
    const { condition } = await rowsCondition(lookup.model, parts.ownedBy(lookup.model, lookup.client.principal))
    return restrictionOf({ ...lookup, rule: verdict.rule, within: condition })
  }

  #walk(decision: Decision, question: AccessQuestion, applies: (rule: Rule) => boolean): Promise<Verdict> {
    const { parts, ask } = this.#controlling
    return walkRules(decision, aboutAll(question, this.#standingFor(question)), { roles: parts.roles, ask, applies })
  }

  #dependsOnEachRecord({ rules }: Decision): boolean {
    return rules.some(({ rule }) => dependsOnRecord(rule, this.#controlling.parts.roles))
  }
}

/** True where records may be owned by a user because they hold the user's id in this property. */
function ownsByProperty({ model, client }: ClientQuestion, property: string, ownershipOf: OwnershipOf): boolean {
  const { principal } = client
  if (principal?.userId === undefined) return false
  const ownership = ownershipOf(model)
  if (decidingNames(ownership, principal.userModel).includes(property)) return true
  return decidingKeys(ownership, principal.userModel).some((key) => key.property === property && !key.primaryKey)
}

/** True where records that hold these keys are a client's own as far as these keys decide: those of the client's own account. */
function areOfClient(question: ClientQuestion, { property, values }: KeyedRecords, ownershipOf: OwnershipOf): boolean {
  const userId = question.client.principal?.userId
  return ownsByProperty(question, property, ownershipOf) && values.every((value) => sameId(value, userId))
}

/** What the answer shows to a caller that may not read the record: its id, and the caller's own values. */
const echoOf = (model: ModelType, sent: readonly string[]): ReadonlySet<string> => new Set([...model.keyNames, ...sent])

/**
 * Makes the function that determines what the answer to a write shows: what its caller would see by reading the record
 * now.
 */
function makeShownAfter({ parts, ask, restrictionOf, standingOf }: ShownAfterParts): AccessControl['shownAfter'] {
  const { showWritten, stored } = parts
  return async ({ client, model }, readRow, sent) => {
    const standing = standingOf(model, 'findById')
    const { call } = standing
    if (standing.isOpen && !stored.canHold()) return undefined
    const decision = await standing.now()
    if (showWritten && !decision.rules.some(({ rule }) => keepsProperties(rule))) return undefined
    const row = await readRow()
    if (row === undefined) return echoOf(model, sent)
    const target = { id: repository.idOf(model, row), record: row }
    const { allowed, rule } = await ask(decision, { client, model, call, target })
    if (!allowed) return echoOf(model, sent)
    const restriction = await restrictionOf({ rule, model, client, method: call.method, purpose: 'include' })
    const isShown = restriction === undefined || (await restriction.matches(row))
    return isShown ? restriction?.readable : echoOf(model, sent)
  }
}

/** Names of the properties that callers of some kind may set by a call; undefined: all. */
function settableNames(model: ModelType, { rules: weighed, otherwise }: Decision): ReadonlySet<string> | undefined {
  const rules = weighed.map(({ rule }) => rule)
  const deciding = callerKinds(rules).map((caller) => decidingRule(caller, rules))
  const allowing = deciding.filter((rule) => (rule === undefined ? otherwise : allows(rule)))
  const sets = allowing.map((rule) => rule && propertySets(model, rule).writable)
  return joinNames(sets)
}

/** All names of several sets; undefined where one of them is everything. */
function joinNames(sets: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = sets.filter((set) => set !== undefined)
  return known.length < sets.length ? undefined : new Set(known.flatMap((set) => [...set]))
}
