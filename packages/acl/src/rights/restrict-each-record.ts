import type { Condition, Row } from '@modelwire/core/connector'
import {
  allInOrder,
  type AccessQuestion,
  type ModelType,
  type NamedRecord,
  repository,
  type Restriction,
  serverCall
} from '@modelwire/core/plugin'
import type { Verdict } from '../rules/decide.ts'
import type { Decision } from '../rules/decision.ts'
import type { Call, Rule } from '../rules/rule.ts'
import type { Controlling } from './controlling.ts'
import { joinRestrictions } from './restriction-of.ts'
import { noRecord } from './verdicts.ts'

/** Reads records by their ids, unrestricted, into a map by the text of the id. */
async function readRecords(model: ModelType, ids: readonly unknown[]): Promise<ReadonlyMap<string, Row>> {
  const name = model.idProperty?.name ?? 'id'
  const present = ids.filter((id) => id !== undefined)
  if (present.length === 0) return new Map()
  const found = await repository.find(model, { where: { [name]: { inq: present } } }, serverCall())
  return new Map(found.map((record) => [String(record[name]), record]))
}

function idsCondition({ idProperty }: ModelType, ids: readonly unknown[]): Condition {
  const path = [idProperty?.name ?? 'id']
  return { kind: 'test', path, type: idProperty?.type, test: 'in', values: ids }
}

/** A question about several records, which rules may decide differently. */
export interface EachRecord {
  readonly question: AccessQuestion
  readonly call: Call
  readonly decision: Decision
  /** The error of a refusal. */
  readonly deny: () => Error
}

/**
 * Evaluates the rules for each of several records.
 * @param ids undefined among them stands for a record that is missing: rules are evaluated for it as for one without an
 * owner
 * @throws the error of `deny`, where one of them is refused
 */
export async function restrictEachRecord(
  { question, call, decision, deny }: EachRecord,
  ids: readonly unknown[],
  { ask, restrictionOf }: Pick<Controlling, 'ask' | 'restrictionOf'>
): Promise<Restriction | undefined> {
  const { client, model } = question
  const looksAtRecord = decision.rules.some(({ rule }) => rule.principalId === '$owner')
  const records = looksAtRecord ? await readRecords(model, ids) : new Map<string, Row>()
  const verdictOf = async (target: NamedRecord): Promise<Verdict> => {
    const verdict = await ask(decision, { client, model, call, target })
    const { rule, allowed } = verdict
    if (!allowed || rule?.principalId !== '$owner' || rule.rows === undefined || target.record === undefined)
      return verdict
    // An own record that the rule does not show is like one that is missing.
    const restriction = await restrictionOf({ ...question, rule })
    const isShown = restriction === undefined || (await restriction.matches(target.record))
    return isShown ? verdict : ask(decision, { client, model, call, target: noRecord })
  }
  const byRule = new Map<Rule | undefined, unknown[]>()
  for (const id of new Set(ids)) {
    const record = records.get(String(id))
    const isMissing = id === undefined || (looksAtRecord && record === undefined)
    const { allowed, rule } = await verdictOf(isMissing ? noRecord : { id, record })
    if (!allowed) throw deny()
    byRule.set(rule, [...(byRule.get(rule) ?? []), ...(id === undefined ? [] : [id])])
  }
  const groups = Array.from(byRule, async ([rule, group]) => ({
    records: idsCondition(model, group),
    restriction: await restrictionOf({ ...question, rule })
  }))
  return joinRestrictions(await allInOrder(groups))
}
