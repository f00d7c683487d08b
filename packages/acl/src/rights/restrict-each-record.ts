import type { Row, ModelType } from '@modelwire/core/connector'
import {
  type AccessQuestion,
  repository,
  type Restriction,
  serverCall,
  type namedRecordOf
} from '@modelwire/core/plugin'
import { allInOrder } from '@modelwire/server'
import type { Verdict } from '../rules/decide.ts'
import type { Decision } from '../rules/decision.ts'
import type { Call, Rule } from '../rules/rule.ts'
import { type Controlling, noRecord } from './verdicts.ts'
import { joinRestrictions } from './restriction-of.ts'

/** Reads records by their ids, unrestricted, into a map by the text of the id. */
async function readRecords(model: ModelType, ids: readonly unknown[]): Promise<ReadonlyMap<string, Row>> {
  const present = ids.filter((id) => id !== undefined)
  if (present.length === 0) return new Map()
  const found = await repository.find(
    model,
    { where: { [model.idProperty?.name ?? 'id']: { inq: present } } },
    serverCall()
  )
  return new Map(found.map((record) => [String(repository.idOf(model, record)), record]))
}

/** A check of several records, for each of which rules may decide differently. */
export interface EachRecord {
  readonly question: AccessQuestion
  readonly call: Call
  readonly decision: Decision
  /** Creates the error for denied access. */
  readonly deny: () => Error
}

type Evaluating = Pick<Controlling, 'ask' | 'restrictionOf'>

/** Makes what evaluates the rules for one record by its id; for one that is missing as for one without an owner. */
async function makeVerdictOf(
  { question, call, decision }: EachRecord,
  ids: readonly unknown[],
  { ask, restrictionOf }: Evaluating
): Promise<(id: unknown) => Promise<Verdict>> {
  const { client, model } = question
  const looksAtRecord = decision.rules.some(({ rule }) => rule.principalId === '$owner')
  const records = looksAtRecord ? await readRecords(model, ids) : new Map<string, Row>()
  const verdictOf = async (target: ReturnType<typeof namedRecordOf>): Promise<Verdict> => {
    const verdict = await ask(decision, { client, model, call, target })
    const { rule, allowed } = verdict
    if (!allowed || rule?.principalId !== '$owner' || rule.rows === undefined || target.record === undefined)
      return verdict
    // An own record that the rule does not show is like one that is missing.
    const restriction = await restrictionOf({ ...question, rule })
    const isShown = restriction === undefined || (await restriction.matches(target.record))
    return isShown ? verdict : ask(decision, { client, model, call, target: noRecord })
  }
  return async (id) => {
    const record = records.get(String(repository.idText(model, id)))
    const isMissing = id === undefined || (looksAtRecord && record === undefined)
    return verdictOf(isMissing ? noRecord : { id, record })
  }
}

/** A record that a rule allows. */
interface Allowed {
  readonly id: unknown
  readonly rule: Rule | undefined
}

/** Those of the records that rules allow. @param ids none stands for one that is missing */
async function allowedOf(
  ids: readonly unknown[],
  verdictOf: (id: unknown) => Promise<Verdict>
): Promise<readonly Allowed[]> {
  const found: Allowed[] = []
  for (const id of ids.length === 0 ? [undefined] : ids) {
    const { allowed, rule } = await verdictOf(id)
    if (allowed) found.push({ id, rule })
  }
  return found
}

function idsByRule(allowed: readonly Allowed[]): ReadonlyMap<Rule | undefined, readonly unknown[]> {
  const byRule = new Map<Rule | undefined, unknown[]>()
  for (const { rule, id } of allowed) {
    const ids = byRule.get(rule) ?? []
    byRule.set(rule, ids)
    if (id !== undefined) ids.push(id)
  }
  return byRule
}

/**
 * Evaluates the rules for each of several records.
 * @param wanted for each of them the possible ids of the record, as for `restrictEach`
 * @throws the error of `deny`, where all are refused that one may be
 */
export async function restrictEachRecord(
  each: EachRecord,
  wanted: readonly (readonly unknown[])[],
  evaluating: Evaluating
): Promise<Restriction | undefined> {
  const { question, deny } = each
  const verdictOf = await makeVerdictOf(each, wanted.flat(), evaluating)
  const found: Allowed[] = []
  let refused = 0
  for (const ids of wanted) {
    const allowed = await allowedOf(ids, verdictOf)
    if (allowed.length === 0) throw deny()
    refused += Math.max(ids.length, 1) - allowed.length
    for (const one of allowed) found.push(one)
  }
  const groups = Array.from(idsByRule(found), async ([rule, ids]) => {
    const records = repository.onlyIds(question.model, ids)
    const within = refused === 0 ? undefined : records
    return { records, restriction: await evaluating.restrictionOf({ ...question, rule, within }) }
  })
  return joinRestrictions(await allInOrder(groups))
}
