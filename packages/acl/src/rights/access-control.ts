import {
  type AccessControl,
  type AccessQuestion,
  andThen,
  type Awaitable,
  type KeyedRecords,
  type ModelType,
  type Restriction
} from '@modelwire/core/plugin'
import { sharesScope } from '../identity/shares-scope.ts'
import type { Verdict } from '../rules/decide.ts'
import { allows, type Decision } from '../rules/decision.ts'
import type { Rule } from '../rules/rule.ts'
import { makeStandings, type Standing } from '../rules/standings.ts'
import { rowsCondition } from '../rows/rows-condition.ts'
import type { Controlling } from './controlling.ts'
import { areOfClient, ownsByProperty } from './owned-by-construction.ts'
import { restrictEachRecord } from './restrict-each-record.ts'
import { makeShownAfter } from './shown-after.ts'
import { noRecord, type VerdictQuestion } from './verdicts.ts'
import { dependsOnRecord, walkRules } from './walk-rules.ts'

const aboutAll = ({ client, model }: AccessQuestion, { call }: Standing): VerdictQuestion => ({
  client,
  model,
  call,
  target: noRecord
})

/** Of rules that depend on the record those of owners are taken for being about the client, and those that deny. */
const ofOwners = (rule: Rule): boolean => rule.principalId === '$owner' || !allows(rule)

/** Decides by rules what clients may see and change. */
export class RuleAccessControl implements AccessControl {
  readonly shownAfter: AccessControl['shownAfter']
  readonly #controlling: Controlling
  readonly #standingOf: (model: ModelType, method: string) => Standing

  constructor(controlling: Controlling) {
    this.#controlling = controlling
    this.#standingOf = makeStandings(controlling.parts.stored)
    this.shownAfter = makeShownAfter({ ...controlling, standingOf: this.#standingOf })
  }

  restrict(question: AccessQuestion, keyed?: KeyedRecords): Awaitable<Restriction | undefined> {
    if (this.#isOpen(question)) return undefined
    const { ask, parts } = this.#controlling
    const standing = this.#standingFor(question)
    return andThen(standing.now(), (decision) =>
      andThen(ask(decision, aboutAll(question, standing)), ({ allowed, rule }): Awaitable<Restriction | undefined> => {
        if (allowed) return this.#restrictBy(rule, question)
        if (keyed !== undefined && areOfClient(question, keyed, parts.ownershipOf)) return this.#restrictOwned(question)
        throw this.#denial(question)
      })
    )
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

  #standingFor({ model, method }: AccessQuestion): Standing {
    return this.#standingOf(model, method)
  }

  #denial({ model, client, purpose }: AccessQuestion): Error {
    return this.#controlling.parts.denials.of(model, client.principal, purpose)
  }

  /** LoopBack's behaviour, where an option requires it. */
  #isLeftOpen({ purpose }: AccessQuestion): boolean {
    const { nested, checkIncludes } = this.#controlling.parts
    if (purpose === 'nested') return nested === 'parent'
    return purpose !== 'operation' && !checkIncludes
  }

  /** True where everyone may do it: no rule has to be evaluated. */
  #isOpen(question: AccessQuestion): boolean {
    if (this.#isLeftOpen(question)) return true
    const { stored } = this.#controlling.parts
    const isEmpty = !stored.canHold() || stored.isEmpty()
    return isEmpty && this.#standingFor(question).isOpen && sharesScope(undefined, question.client.principal)
  }

  #restrictBy(rule: Rule | undefined, question: AccessQuestion): Awaitable<Restriction | undefined> {
    return this.#controlling.restrictionOf({ ...question, rule })
  }

  /** What `findById` lets owners read, though no list shows it. */
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
