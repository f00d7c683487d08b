import type { RowsFunction } from '@modelwire/core'
import { type Awaitable, keepPerText, type ModelType } from '@modelwire/core/plugin'
import type { OwnedBy } from '../roles/owned-by.ts'
import type { RowsOf, RowsPath } from '../rules/rule.ts'
import { conditionOf } from './condition-of.ts'
import type { RowsQuestion, Where } from './rows-question.ts'

/** Finds the condition that the records of a rule meet; undefined where there are none. */
export type WhereOfRows = (rows: RowsOf, question: RowsQuestion) => Awaitable<Where | undefined>

/** The user model at the end of a path of relations; undefined where the path leads to none, or to records of several models. */
export function endOfPath(model: ModelType, [name, ...rest]: readonly string[]): ModelType | undefined {
  const to = name === undefined ? undefined : model.registry.relations.of(model).get(name)?.to
  return to === undefined || rest.length === 0 ? to : endOfPath(to, rest)
}

/** Records from which relations lead to the caller. */
function whereOfPath({ path }: RowsPath, { model, client }: RowsQuestion): Where | undefined {
  const { userId, userModel } = client.principal ?? {}
  const users = endOfPath(model, path)
  if (userId === undefined || users === undefined || (userModel ?? users.name) !== users.name) return undefined
  return { [[...path, users.idProperty?.name ?? 'id'].join('.')]: userId }
}

/** Makes the function that calls functions of rules once for each method of a model in a request. */
export function makeWhereOfRows(ownedBy: OwnedBy): WhereOfRows {
  const answers = new WeakMap<RowsFunction, ReturnType<typeof keepPerText<Promise<Where | undefined>>>>()
  const conditionOnce = (rows: RowsFunction, question: RowsQuestion): Promise<Where | undefined> => {
    const { client, model, method } = question
    const once = answers.get(rows) ?? keepPerText<Promise<Where | undefined>>()
    answers.set(rows, once)
    return once(client, JSON.stringify([model.name, method]), () => conditionOf(rows, question))
  }
  return (rows, question) => {
    if (rows === '$owner') return ownedBy(question.model, question.client.principal)
    return typeof rows === 'function' ? conditionOnce(rows, question) : whereOfPath(rows, question)
  }
}
